Puppet::Functions.create_function(:'shop::none') do
end
