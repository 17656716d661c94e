require 'json'
  # @summary
  #   Further to the right, all are joined.
Puppet::Functions.create_function(:'layers::indented') do
  # @param one The one.
  # @return [String] it
  dispatch :indented do
    param 'String', :one
  end
end
