# What Puppet itself knows of the resource types of a module path: types_referee.rb MODULEPATH [TITLE...]
# Prints one JSON object a line: the attributes of a type without metaparameters, in Puppet's order, the naming ones,
# whether it is isomorphic, and what each title gives values to. PUPPET_LIB and RESOURCE_API_LIB name lib directories.
require 'json'
require 'tmpdir'
%w[PUPPET_LIB RESOURCE_API_LIB].each { |name| $LOAD_PATH.unshift(ENV[name]) if ENV[name] }
require 'puppet'
begin
  require 'puppet/resource_api'
rescue LoadError
  nil
end

Dir.mktmpdir do |scratch|
  Puppet.initialize_settings(['--confdir', scratch, '--vardir', scratch])
  Puppet::Util::Log.level = :err
  modulepath, *titles = ARGV
  environment = Puppet::Node::Environment.create(:referee, [modulepath])
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
    environment.each_plugin_directory { |directory| $LOAD_PATH << directory }
    files = environment.modules.flat_map { |a_module| Dir["#{a_module.path}/lib/puppet/type/*.rb"] }
    files += Dir["#{ENV['PUPPET_LIB']}/puppet/type/*.rb"] if ENV['PUPPET_LIB']
    files.uniq { |file| File.basename(file) }.sort.each do |file|
      name = File.basename(file, '.rb')
      answer = { 'type' => name, 'file' => file }
      begin
        type = Puppet::Type.type(name.to_sym)
        if type.nil?
          answer['error'] = 'no such type'
        else
          given = Puppet::Type.metaparams
          answer['properties'] = type.properties.map { |property| property.name.to_s }
          answer['parameters'] = type.parameters.map(&:to_s) - given.map(&:to_s)
          answer['namevars'] = type.key_attributes.map(&:to_s)
          answer['isomorphic'] = type.isomorphic?
          answer['titles'] = titles.to_h do |title|
            resource = Puppet::Resource.new(name, title, environment: environment)
            [title, resource.send(:parse_title)]
          rescue StandardError => e
            [title, e.message]
          end
        end
      rescue StandardError, LoadError, SyntaxError => e
        answer['error'] = "#{e.class}: #{e.message}"
      end
      puts JSON.generate(answer)
    end
  end
end
