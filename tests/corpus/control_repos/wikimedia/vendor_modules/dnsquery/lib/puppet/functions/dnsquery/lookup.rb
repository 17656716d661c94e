# Stands in for the DNS: a name always has the same addresses.
Puppet::Functions.create_function(:'dnsquery::lookup') do
  dispatch :addresses do
    param 'String', :domain
    optional_param 'Boolean', :force_ipv6
    optional_param 'Any', :config
    optional_block_param :block
  end

  def addresses(domain, _force_ipv6 = false, _config = nil)
    call_function('dnsquery::a', domain) + call_function('dnsquery::aaaa', domain)
  end
end
