# Reads a file of the module secret; a text stands in for one that is not public.
Puppet::Functions.create_function(:'wmflib::secret') do
  dispatch :secret do
    param 'String', :name
    optional_param 'Boolean', :binary
    return_type 'Variant[String, Binary]'
  end

  def secret(name, binary = false)
    text = call_function('secret', name)
    binary ? Puppet::Pops::Types::PBinaryType::Binary.from_binary_string(text) : text
  end
end
