Puppet::Type.type(:odd).provide(
  :trailing,
) do
  desc 'lost'
end
Puppet::Type.type(:odd).provide(:one, :parent => :two, :source => :x) { @doc = "one" }
Puppet::Type.type('odd').provide 'two' do
  desc <<~EOT
    Squiggly
      more
  EOT
  confine :feature => :x
  confine feature
  confine
  commands :a => "b"
  commands a: 'c'
  optional_commands :o => 'p'
  defaultfor
  defaultfor 'x'
  has_features
end
Puppet::Type.type(:odd).provide(name) { }
provide(:nothing) { }
Puppet::Type.type(:absent).provide(:three) { desc 'of another module' }
