# Faults.
Puppet::Functions.create_function(:faults) do
  # Text.
  # @param a [Any] A
  # @return [String] s
  dispatch :a do
    param 'String'
    param 'String', :a, :b
    block_param
    block_param 'Callable', :other
    optional_block_param 'A', :b, :c
    return_type 'Integer'
    return_type "Float"
    unknown_thing 'x'
  end
  local_types do
    type 'A = String'
  end
  dispatch :nothing
  dispatch :x, :y do
    param 'String', :q
  end
end
=begin
A block comment.
@param x [Any] no
=end
Puppet::Functions.create_function(:block_comment) do
  dispatch :x do
    param :String, :x
    param %w[a b], :y
  end
end
if true
  # conditional
  Puppet::Functions.create_function(:conditional) { dispatch(:x) { param('Any', :x) } }
end
Puppet::Functions.create_function(:modifier) {} if false
[1].each { Puppet::Functions.create_function(:in_block) {} }
def method
  Puppet::Functions.create_function(:in_method) {}
end
class Foo
  Puppet::Functions.create_function(:in_class) {}
end
x = Puppet::Functions.create_function(:assigned) {}
Puppet::Functions.create_function(name) {}
Puppet::Functions.create_function("inter#{1}") {}
Puppet::Functions.create_function("#{1}behind") {}
Puppet::Functions::create_function(:colons) {}
Puppet::Functions.create_function :without_parens do
  def without_parens(a, b, *d, e, k: 1, l:, **m, &n); end
end
Puppet::Functions.create_loaded_function(:loaded, nil) {}
