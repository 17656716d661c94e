require 'json'
#
# @summary
#         An empty line is last, and this is found two lines above.
#
#
Puppet::Functions.create_function(:'layers::hidden') do
  # @param one The one.
  # @return [String] it
  dispatch :hidden do
    param 'String', :one
  end
end
