# One dispatch.
Puppet::Functions.create_function(:"shop::single", Puppet::Functions::InternalFunction) do
  # Of the dispatch.
  # @param a [String] wrong type
  # @param zzz [Any] unknown
  # @return [Any]
  dispatch(:single) do
    scope_param
    param 'String', :a
    required_repeated_param 'Integer', :b
    block_param 'Callable', :code
  end
  def single(scope, a, *b, &code); end
end
