Puppet::Type.newtype(:shop_item) do
  newparam(:name, namevar: true)
  newparam(:size)
end
