# A till, told by a comment.
#
# @!puppet.type.param [value1, value2] my_param Documentation for a dynamic parameter.
# @!puppet.type.property my_prop Documentation for a dynamic property.
# @api private
Puppet::Type.newtype(:till) do
  ensurable
  newparam(:name) do
    desc 'The name'
  end
end
Puppet::Type.type(:till).newparam(:added) do
  desc 'Added later'
  defaultto true
end
Puppet::Type.type(:till).newproperty(:prop) { desc 'Added, too' }
Puppet::Type.type(:elsewhere).newparam(:foreign) do
  desc 'Of another module'
end
