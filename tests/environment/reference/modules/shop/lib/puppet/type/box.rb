require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'box',
  docs: <<-EOS,
    @summary A box
    This type provides Puppet with boxes.

    @example
      box { 'x': }
  EOS
  features: ['simple_get_filter', 'remote_resource'],
  attributes: {
    ensure: {
      type: 'Enum[present, absent]',
      desc: 'Whether it is there.',
      default: 'present',
    },
    name: {
      type: 'String',
      desc: 'The name.',
      behaviour: :namevar,
    },
    size: {
      type: 'Optional[Integer]',
      desc: <<-DESC,
        The size,
        over lines.
      DESC
      behaviour: :parameter,
      default: 5,
    },
    closed: { type: 'Boolean', default: false },
    open: { type: 'Boolean', default: true, desc: "It is #{open}." },
    tags: { type: 'Array[Pattern[/a/]]', default: ['a', 'b'] },
    map: { type: 'Hash', default: { 'a' => 1 } },
    undef: { type: 'Any', default: nil },
    'quoted' => { :type => 'String', :behaviour => :read_only },
  },
  autorequires: {
    file: '$source',
  },
)
