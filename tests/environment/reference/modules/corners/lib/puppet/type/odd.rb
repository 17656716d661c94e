module Puppet
  # type in a module
  Type.newtype(:odd) do
    newparam(:first) { desc "takes this for the type" }
    ensurable { desc '' }
    newproperty(:a, :required_features => [:x, :y]) { desc "d" ; defaultto { 1 } }
    newproperty(:b, :parent => Puppet::Parameter::Boolean, :required_features => 'z') do
      desc "
        Indented
          text
      "
      newvalues :true
      defaultto false
      defaultto nil
    end
    newparam("c") { desc "e" ; newvalues(/a\/b/i, "x", 1, 2.5, nil, Foo::BAR, *x) }
    newparam(:d) do
      desc "#{x} starts with code"
      defaultto -1
      defaultto(lambda { |x| x })
      aliasvalue(:a, :b)
      aliasvalue(:only)
    end
    newparam(:e) { desc "a" + "b" }
    newparam(:f) { desc("parens") }
    newparam(:g) { self.desc "self" }
    newparam(:h) { @doc = "ivar" }
    newparam(:i) { @doc ||= "or" }
    newparam(:j) { desc "x" if true }
    newparam(:k) do
      def foo; desc "in a method"; end
    end
    newparam(:l) { isnamevar }
    feature :f1, "d"
    feature "f2", %q{d2}
    feature :f3, DOC
    newmetaparam(:m) { desc "meta" }
    newstate(:s) { desc "state" }
  end
end
Puppet::Type.newtype(:nodoc) do
end
Puppet::Type.newtype(:noblock)
Puppet::Type::newtype(:colons) { @doc = %Q{With
  percent Q} }
Puppet::Type.newtype(name) { }
Puppet::newtype(:other) { }
Puppet::Type.type(:odd).ensurable { desc "again" }
Puppet::Type.type(:odd).newproperty(:z, :parent => X)
Puppet::Type.newtype(:directed) do
  @doc = "Text
    @!puppet.type.param [a, b] p1 One
    @!puppet.type.property [c] p2 Two
      more
    @param p1 no
    @option p1 :o x
    @enum p2 e f
    @api private"
end
Puppet::Type.newtype(:named_twice) do
  desc 'The last property of that name is the namevar.'
  newparam(:name) { desc 'a' }
  newproperty(:name) { desc 'b' }
  newproperty(:name) { desc 'c' }
end
