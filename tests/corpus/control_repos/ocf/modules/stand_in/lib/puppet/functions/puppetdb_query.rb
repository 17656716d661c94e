# Stands in for PuppetDB, which knows no node.
Puppet::Functions.create_function(:puppetdb_query) do
  dispatch :query do
    param 'Any', :query
  end

  def query(_query)
    []
  end
end
