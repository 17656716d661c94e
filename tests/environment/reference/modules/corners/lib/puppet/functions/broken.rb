Puppet::Functions.create_function(:broken) do
  dispatch :a do
