# @summary Return the value of ensure for a kind of resource.
#
# Whether a thing is wanted is said by a Boolean, or by 'present' and 'absent'. Packages are then
# 'installed', services 'running' or 'stopped', and files are of the kind that is given.
#
# @example
#   file { '/srv': ensure => stdlib::ensure($wanted, 'directory') }
#
# @param ensure
#   Whether the thing is wanted.
# @param resource
#   The kind of resource.
function stdlib::ensure(
  Variant[Boolean, Enum['present', 'absent']] $ensure,
  Enum['directory', 'link', 'mounted', 'service', 'file', 'package'] $resource,
) >> String {
  $values = $resource ? {
    'package' => ['installed', 'absent'],
    'service' => ['running', 'stopped'],
    default   => [$resource, 'absent'],
  }
  if $ensure in [true, 'present'] { $values[0] } else { $values[1] }
}
