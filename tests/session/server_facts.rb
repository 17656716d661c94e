# Compiles programs with the Puppet on the load path as a server does, for a node that is the server itself
# and has sent a request with its certificate; "local" is a compilation without a request, as in puppet apply.
#   ruby -I PUPPET_LIB server_facts.rb < server_facts.jsonl   records these cases anew
# in:  {"id", "code", "facts"?, "local"?}
# out: the same object with "titles" of notify resources, or "error", and "warnings" if there are any.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

NODE = 'node.example.com'.freeze
SERVER = { 'serverversion' => Puppet.version, 'servername' => NODE, 'serverip' => '127.0.0.1' }.freeze
WARNINGS = []
Puppet::Util::Log.newdesttype :recorder do
  def initialize(*); end

  def handle(message)
    WARNINGS << message.message if message.level == :warning
  end
end

def compile(request)
  Puppet[:code] = request['code']
  environment = Puppet::Node::Environment.create(:production, [])
  loaders = Puppet::Pops::Loaders.new(environment)
  environments = Puppet::Environments::Static.new(environment)
  context = { current_environment: environment, environments: environments, loaders: loaders }
  # As Puppet::Network::HTTP::API::IndirectedRoutes does for a request.
  remote = Puppet::Context::TrustedInformation.remote(true, NODE, nil)
  context[:trusted_information] = remote unless request['local']
  Puppet.override(context) do
    facts = Puppet::Node::Facts.new(NODE, request['facts'] || {})
    node = Puppet::Node.new(NODE, environment: environment)
    node.fact_merge(facts)
    node.add_server_facts(request['local'] ? {} : SERVER)
    # As the terminus "compiler" of catalogs does.
    node.trusted_data = Puppet.lookup(:trusted_information) { Puppet::Context::TrustedInformation.local(node) }.to_h
    catalog = Puppet::Parser::Compiler.compile(node)
    { 'titles' => catalog.resources.select { |each| each.type == 'Notify' }.map(&:title) }
  end
rescue Puppet::Error => e
  { 'error' => e.message.sub(/ \(line: .*/, '') }
end

Dir.mktmpdir do |directory|
  Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--codedir', directory])
  Puppet::Util::Log.newdestination('recorder')
  $stdin.each_line do |line|
    WARNINGS.clear
    request = JSON.parse(line).slice('id', 'code', 'facts', 'local')
    answer = compile(request)
    answer['warnings'] = WARNINGS unless WARNINGS.empty?
    puts JSON.generate(request.merge(answer))
  end
end
