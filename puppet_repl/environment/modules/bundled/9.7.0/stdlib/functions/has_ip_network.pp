# @summary Tell whether an interface of the node is in an IPv4 network, by the facts.
#
# @param ip_network
#   The address of the network, without the length of its prefix.
function stdlib::has_ip_network(Stdlib::IP::Address::V4::Nosubnet $ip_network) >> Boolean {
  stdlib::has_interface_with('network', $ip_network)
}
