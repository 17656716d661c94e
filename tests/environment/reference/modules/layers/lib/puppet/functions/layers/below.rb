# frozen_string_literal: true

require 'json'
# @note
#   Lines in the first column directly below a statement are not joined.
# @summary
#   Only the last line is found.
Puppet::Functions.create_function(:'layers::below') do
  # @param one The one.
  # @return [String] it
  dispatch :below do
    param 'String', :one
  end
end
