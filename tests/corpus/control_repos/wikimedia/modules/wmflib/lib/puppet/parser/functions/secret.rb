# Reads a file of the module secret; a text stands in for one that is not public.
module Puppet::Parser::Functions
  newfunction(:secret, type: :rvalue, arity: 1) do |args|
    path = File.join(Puppet::Module.find('secret').path, 'files', args[0])
    File.file?(path) ? File.read(path) : "stand-in for #{args[0]}\n"
  end
end
