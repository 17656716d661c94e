# By its method.
# @param wrong place
# @return [Integer] wrong place
Puppet::Functions.create_function('shop::by_method') do
  # @param a The a
  # @param b [Integer] The b
  # @param rest the rest
  # @return [Array] all
  def by_method(a, b = nil, c = :default, d = { 'x' => [1, 2] }, *rest, &block)
    [a, b]
  end

  def helper(x); end
end
