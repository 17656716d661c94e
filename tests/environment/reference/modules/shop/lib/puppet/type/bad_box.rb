Puppet::ResourceApi.register_type(
  name: 'bad_box',
  docs: "x" + "y",
  attributes: {}
)
Puppet::ResourceApi.register_type({
  name: 'braced_box',
  docs: 'with braces',
  attributes: { name: { type: 'String', behaviour: :namevar } },
})
Puppet::ResourceApi.register_type(
  name: 'words_box',
  docs: 'with words',
  features: %w[a b],
  attributes: {}
)
Puppet::ResourceApi.register_type(SCHEMA)
Puppet::ResourceApi.register_type(
  name: 'plain_box',
  attributes: { name: { type: 'String', behaviour: :namevar } }
)
