# Data of the inventory: what the options say about the region and its racks.
function profile::inventory(Hash $options, Puppet::LookupContext $context) {
  $racks = $options['racks'].map |$rack| { "${options['region']}-${rack}" }
  $data = {
    'inventory::racks'   => $racks,
    'inventory::region'  => $options['region'],
    'inventory::owner'   => '%{lookup("company::name")}',
    'inventory::modules' => ["${context.module_name}", "${context.environment_name}"],
    'profile::base::users' => { 'inventory' => { 'shell' => '/bin/false' } },
  }
  $data
}
