# Values that are computed from their keys.
function profile::computed(
  Variant[String, Numeric] $key,
  Hash $options,
  Puppet::LookupContext $context,
) {
  if $context.cache_has_key($key) {
    return $context.cached_value($key)
  }
  $value = case $key {
    'computed::upper': { upcase($options['prefix']) }
    'computed::where': { $context.interpolate('%{facts.os.name} of %{trusted.certname}') }
    'computed::number': { 40 + 2 }
    'computed::undef': { undef }
    'computed::structure': { { 'one' => [1, 2], 'two' => { 'three' => 'four' } } }
    'computed::failure': { fail("there is no ${key} today") }
    'computed::explained': {
      $context.explain || { "The prefix is ${options['prefix']}" }
      'explained'
    }
    default: { $context.not_found }
  }
  $context.cache($key, $value)
}
