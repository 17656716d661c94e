# Compiles catalogs with the Puppet on the load path and writes the documents that an agent is sent.
#   ruby -I PUPPET_LIB record_documents.rb < document_requests.jsonl > documents.jsonl
# in:  {"id", "code"?, "files"?: {path: text}, "nodes": [{"name", "facts"?, "trusted"?}], "storeconfigs"?, "modulepath"?}
#      "files" are written below an environment called production, whose modules are in "modulepath" or in its own directory. With "storeconfigs" what a node exports
#      is stored, and the nodes after it collect it.
# out: the same object with "documents": for each node a catalog, or {"error": message}. Its uuid and
#      version are left out, its directory is <environment>.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

WORK = Dir.mktmpdir
OWNER = Process.pid
at_exit { FileUtils.rm_rf(WORK) if Process.pid == OWNER }
Puppet.initialize_settings(['--confdir', WORK, '--vardir', WORK, '--strict', 'error', '--strict_variables', 'true'])
Puppet[:node_name_value] = Puppet[:certname] = 'server.example.com'
Puppet::Util::Log.level = :err

FACTS = {
  'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12' } },
  'kernel' => 'Linux',
  'networking' => { 'fqdn' => 'node.example.com', 'hostname' => 'node', 'ip' => '10.0.0.1' },
}.freeze

# The resources that nodes export, as rows of PuppetDB.
class Store
  UNORDERED = %w[alias audit before check notify require subscribe tag].freeze

  attr_reader :rows

  def initialize
    @rows = []
  end

  # A node's catalog replaces what it had before. Sensitive parameters are not stored, another name is an alias.
  def keep(catalog, certname)
    @rows.reject! { |row| row['certname'] == certname }
    data = Puppet.override(stringify_rich: true) { catalog.to_data_hash }
    data['resources'].select { |resource| resource['exported'] }.each do |resource|
      parameters = resource['parameters'] || {}
      (resource['sensitive_parameters'] || []).each { |name| parameters.delete(name) }
      names = other_names(catalog.resource(resource['type'], resource['title']))
      parameters['alias'] = names unless names.empty?
      UNORDERED.each { |name| parameters[name].sort_by!(&:to_s) if parameters[name].is_a?(Array) }
      row = { 'certname' => certname, 'parameters' => parameters }
      @rows << row.merge(resource.slice('type', 'title', 'tags', 'exported', 'file', 'line'))
    end
  end

  def other_names(resource)
    return [] if resource.key_attributes.length > 1

    names = [resource[:alias]].flatten.compact
    type = resource.resource_type
    if !type.respond_to?(:isomorphic?) || type.isomorphic?
      name = resource.to_hash[resource.send(:namevar)]
      names << name unless name.nil? || name == resource.title || names.include?(name)
    end
    names
  end

  def search(type, host, filter)
    @rows.select { |row| row['type'] == type && row['certname'] != host && matches?(row, filter) }
  end

  def matches?(row, filter)
    return true if filter.nil?

    left, operator, right = filter
    case operator
    when 'and' then matches?(row, left) && matches?(row, right)
    when 'or' then matches?(row, left) || matches?(row, right)
    when '==' then equal?(row, left, right)
    when '!=' then !equal?(row, left, right)
    end
  end

  def equal?(row, name, value)
    case name
    when 'tag' then row['tags'].include?(value.downcase)
    when 'title' then row['title'] == value
    else row['parameters'].key?(name) && row['parameters'][name] == value
    end
  end
end

# What Puppet asks for exported resources where storeconfigs is set.
class Puppet::Resource::Recorded < Puppet::Indirector::Code
  class << self
    attr_accessor :store
  end

  def search(request)
    scope = request.options[:scope]
    self.class.store.search(request.key, request.options[:host], request.options[:filter]).map do |row|
      parameters = row['parameters'].map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
      type = Puppet::Pops::Evaluator::Runtime3ResourceSupport.find_resource_type(scope, row['type'])
      resource = Puppet::Parser::Resource.new(type, row['title'], { parameters: parameters, scope: scope })
      resource.collector_id = "#{row['certname']}|#{row['type']}|#{row['title']}"
      resource
    end
  end

  def validate_key(_request); end
end

def write_all(root, files)
  files.each do |name, text|
    path = File.join(root, name)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
end

def compile(request, wanted, directory)
  manifest = request['code'].to_s.empty? ? "#{directory}/manifests" : Puppet::Node::Environment::NO_MANIFEST
  environment = Puppet::Node::Environment.create(:production, request['modulepath'] || ["#{directory}/modules"], manifest)
  environment.each_plugin_directory { |folder| $LOAD_PATH << folder }
  loader = Puppet::Environments::StaticDirectory.new('production', directory, environment)
  trusted = Puppet::Context::TrustedInformation.new('remote', wanted['name'], wanted['trusted'] || {})
  overrides = { current_environment: environment, environments: loader, loaders: Puppet::Pops::Loaders.new(environment), trusted_information: trusted }
  Puppet.override(overrides) do
    values = Marshal.load(Marshal.dump(wanted['facts'] || FACTS))
    facts = Puppet::Node::Facts.new(wanted['name'], values)
    node = Puppet::Node.new(wanted['name'], environment: environment, facts: facts)
    node.merge(facts.values)
    node.add_server_facts({})
    node.trusted_data = trusted.to_h
    catalog = Puppet::Parser::Compiler.compile(node)
    Puppet::Resource::Recorded.store.keep(catalog, wanted['name'])
    rich = Puppet::Network::FormatHandler.format(:rich_data_json)
    JSON.parse(rich.render(catalog.filter(&:virtual?))).tap { |document| %w[version catalog_uuid].each { |key| document.delete(key) } }
  end
rescue Puppet::Error => e
  { 'error' => e.message }
end

def hide(value, directory)
  case value
  when String then value.gsub(directory, '<environment>')
  when Array then value.map { |item| hide(item, directory) }
  when Hash then value.to_h { |key, item| [hide(key, directory), hide(item, directory)] }
  else value
  end
end

def answer(request)
  directory = "#{WORK}/environments/production"
  FileUtils.mkdir_p("#{directory}/manifests")
  write_all(directory, request['files'] || {})
  Puppet[:environmentpath] = "#{WORK}/environments"
  Puppet[:code] = request['code'] unless request['code'].to_s.empty?
  if request['storeconfigs']
    Puppet[:storeconfigs] = true
    Puppet::Resource.indirection.terminus_class = :recorded
  end
  Puppet::Resource::Recorded.store = Store.new
  documents = request['nodes'].map { |wanted| compile(request, wanted, directory) }
  hide(request.merge('documents' => documents, 'store' => Puppet::Resource::Recorded.store.rows), directory)
end

$stdin.each_line do |line|
  request = JSON.parse(line)
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    writer.write(JSON.generate(answer(request)))
    writer.close
    exit!(0)
  end
  writer.close
  puts reader.read
  Process.wait(pid)
  FileUtils.rm_rf("#{WORK}/environments")
end
