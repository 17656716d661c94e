# frozen_string_literal: true

# @summary Adds numbers
#
# Text of the function.
#
# @example
#   shop::sum(1)
# @see shop::price other
Puppet::Functions.create_function(:'shop::sum') do
  # The first way.
  # @param first The first
  # @param others All others
  # @param block What to do
  # @return The sum
  # @example
  #   shop::sum(1, 2) |$x| { $x }
  dispatch :sum do
    param 'Numeric', :first
    optional_param 'Integer', :second
    repeated_param 'Variant[Integer, Float]', :others
    optional_block_param 'Callable[1]', :block
    return_type 'Numeric'
  end

  # @param text As a text
  # @option opts [String] :a The a
  # @enum opts b The b
  # @param opts Options
  # @raise [Puppet::Error] if not
  # @return [String] text
  dispatch :sum_of_text do
    required_param 'String', :text
    optional_param 'Hash', :opts
    block_param
  end

  dispatch :none do
  end

  def sum(first, *others)
    first
  end
end
