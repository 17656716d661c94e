require \
  'json'
# @summary
#   The one line that is found.
#
Puppet::Functions.create_function(:'layers::continued') do
  # @param one The one.
  # @return [String] it
  dispatch :continued do
    param 'String', :one
  end
end
