module Puppet::Parser::Functions
  # @return [Integer] one
  newfunction('oldest', :type => :rvalue) do |args|
    1
  end
end
Puppet::Parser::Functions::newfunction(:percent, :doc => %q{In percent
  signs.}) { |args| 1 }
Puppet::Parser::Functions::newfunction(:squiggly, :doc => <<~EOT) { |args| 1 }
  Squiggly text
    with indent
  and #{1}.
EOT
Puppet::Parser::Functions::newfunction(:empty, :doc => '') { |args| 1 }
Puppet::Parser::Functions::newfunction(:joined, :doc => 'a' \
  'b') { |args| 1 }
