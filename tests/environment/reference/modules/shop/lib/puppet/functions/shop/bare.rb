Puppet::Functions.create_function(:'shop::bare') do
  def bare; end
end
