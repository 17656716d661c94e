# Comment above
Puppet::Parser::Functions.newfunction(:older, :doc => "Text in quotes with #{1 + 1} and 'more'.
  Second line.") do |args|
end
