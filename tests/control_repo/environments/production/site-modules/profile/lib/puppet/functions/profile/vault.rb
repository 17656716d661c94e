# frozen_string_literal: true

# Secrets of a vault that this function only plays.
Puppet::Functions.create_function(:'profile::vault') do
  dispatch :find do
    param 'String[1]', :key
    param 'Hash[String[1], Any]', :options
    param 'Puppet::LookupContext', :context
  end

  def find(key, options, context)
    return context.not_found unless key.start_with?('vault::')

    name = key.split('::').last
    return context.not_found if name == 'elsewhere' && !options['uri'].include?('example.net')
    raise Puppet::DataBinding::LookupError, 'the vault is sealed' if name == 'sealed'
    return nil if name == 'nothing'

    "#{name} at #{options['uri']}"
  end
end
