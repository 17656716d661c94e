Puppet::Type.newtype(:shop_box) do
  newparam(:name, namevar: true)
  newparam(:size)
end
