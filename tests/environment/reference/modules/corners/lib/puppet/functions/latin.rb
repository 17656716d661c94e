# café
Puppet::Functions.create_function(:latin) do
end
