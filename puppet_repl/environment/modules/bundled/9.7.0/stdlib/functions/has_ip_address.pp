# @summary Tell whether an interface of the node has an IPv4 address, by the facts.
#
# @param ip_address
#   The address.
function stdlib::has_ip_address(Stdlib::IP::Address::V4::Nosubnet $ip_address) >> Boolean {
  stdlib::has_interface_with('ip', $ip_address)
}
