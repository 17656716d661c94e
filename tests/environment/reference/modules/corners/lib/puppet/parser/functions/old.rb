Puppet::Parser::Functions.newfunction(
  :trailing, :type => :rvalue,
  :doc => 'Trailing comma',
) do |args|
end
Puppet::Parser::Functions.newfunction(:curly, { :type => :rvalue, 'doc' => "In\n braces" }) { |a| }
Puppet::Parser::Functions.newfunction(:raw, doc: <<'EOS') do |args|
@summary raw
Text #{no} code
@param x y
  z

Text after it, the end of which is cut off.
EOS
end
Puppet::Parser::Functions.newfunction(:method_call, doc: <<-EOS.gsub(/^  /, '')) { |args| }
  Not read.
EOS
Puppet::Parser::Functions.newfunction(:constant, doc: DOC) { |args| }
newfunction(:bare, doc: "a 'b' \"c\" \\d") { |args| }
