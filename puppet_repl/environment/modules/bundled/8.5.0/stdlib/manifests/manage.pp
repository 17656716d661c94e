# @summary Declare resources from a hash, which may come from Hiera.
#
# @example
#   class { 'stdlib::manage':
#     create_resources => { 'package' => { 'vim' => { 'ensure' => 'installed' } } },
#   }
#
# @param create_resources
#   Hashes of attributes by type and title, as create_resources() takes them.
class stdlib::manage (
  Hash[String, Hash] $create_resources = {}
) {
  $create_resources.each |$type, $resources| {
    create_resources($type, $resources)
  }
}
