# frozen_string_literal: true

require 'json' # for nothing
# @summary
#   A comment on the line of the statement changes that.
Puppet::Functions.create_function(:'layers::above') do
  # @param one The one.
  # @return [String] it
  dispatch :above do
    param 'String', :one
  end
end
