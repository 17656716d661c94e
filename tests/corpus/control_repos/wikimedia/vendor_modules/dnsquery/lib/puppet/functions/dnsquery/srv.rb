# Stands in for the DNS: two servers for every domain.
Puppet::Functions.create_function(:'dnsquery::srv') do
  dispatch :srv do
    param 'String', :domain
    optional_param 'Any', :config
    optional_block_param :block
  end

  def srv(domain, _config = nil)
    Array.new(2) do |number|
      { 'priority' => 0, 'weight' => 1, 'port' => 2380, 'target' => "server#{number + 1}.#{domain}" }
    end
  end
end
