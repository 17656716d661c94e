# frozen_string_literal: true

# Addresses of networks, by a path of names: networks.office.v4.
Puppet::Functions.create_function(:'profile::addresses') do
  dispatch :find do
    param 'Array[Variant[String, Numeric]]', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def find(segments, options, context)
    return context.not_found unless segments.first == 'networks'

    networks = context.cached_file_data(options['path']) do |text|
      text.each_line.filter_map { |line| line.chomp.split(': ', 2) if line.include?(': ') }.to_h
    end
    name = segments[1]
    context.explain { "Known networks: #{networks.keys.join(', ')}" }
    return networks if name.nil?

    context.not_found unless networks.key?(name)
    { 'v4' => networks[name], 'name' => name }.then do |network|
      segments.length > 2 ? network.fetch(segments[2]) { context.not_found } : network
    end
  end
end
