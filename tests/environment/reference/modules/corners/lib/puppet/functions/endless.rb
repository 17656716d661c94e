Puppet::Functions.create_function(:endless, <<-EOS) do
 text
end
