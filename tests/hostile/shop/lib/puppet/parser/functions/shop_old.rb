Puppet::Parser::Functions.newfunction(:shop_old, type: :rvalue) { |args| "old #{args[0]}" }
