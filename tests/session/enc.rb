# Compiles programs with the Puppet on the load path for a node that an external node classifier has classified.
#   ruby -I PUPPET_LIB enc.rb < enc.jsonl   records these cases anew
# in:  {"id", "enc": what the program prints, "code"?, "facts"?, "ours"?}; "ours" is our error in place of one of Ruby
# out: the same object with "catalog", or "error", and "warnings" if there are any.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

NODE = 'web01.example.com'.freeze
SERVER = { 'serverversion' => Puppet.version, 'servername' => 'puppet', 'serverip' => '127.0.0.1' }.freeze
KEYS = %w[type title parameters tags exported line kind].freeze
WARNINGS = []
Puppet::Util::Log.newdesttype :recorder do
  def initialize(*); end

  def handle(message)
    WARNINGS << message.message if message.level == :warning
  end
end

def compile(request, output)
  File.write(output, request['enc'])
  Puppet[:code] = request['code'] || ''
  environments = %i[production testing].map { |name| Puppet::Node::Environment.create(name, []) }
  context = {
    current_environment: environments[0],
    environments: Puppet::Environments::Static.new(*environments),
    trusted_information: Puppet::Context::TrustedInformation.remote(true, NODE, nil)
  }
  Puppet.override(context) do
    facts = Puppet::Node::Facts.new(NODE, request['facts'] || {})
    node = Puppet::Node.indirection.find(NODE, facts: facts, environment: environments[0])
    # As the terminus "compiler" of catalogs does.
    raise ArgumentError, "Could not find node '#{NODE}'; cannot compile" if node.nil?

    node.add_server_facts(SERVER)
    document = Puppet::Parser::Compiler.compile(node).to_data_hash
    document['resources'].map! { |each| each.slice(*KEYS) }
    { 'catalog' => document.slice('tags', 'environment', 'classes', 'resources', 'edges') }
  end
rescue StandardError => e
  { 'error' => e.message, 'kind' => e.class.name }
end

Dir.mktmpdir do |directory|
  Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--codedir', directory])
  Puppet::Util::Log.newdestination('recorder')
  output = File.join(directory, 'output')
  program = File.join(directory, 'enc')
  File.write(program, "#!/bin/sh\ncat #{output}\n")
  File.chmod(0o755, program)
  Puppet[:external_nodes] = program
  Puppet[:node_terminus] = 'exec'
  Puppet::Node.indirection.cache_class = nil
  $stdin.readlines.each do |line|  # programs that Puppet starts read the standard input, too
    WARNINGS.clear
    Puppet::Util::Warnings.clear_warnings
    request = JSON.parse(line).slice(%q(id), %q(enc), %q(code), %q(facts), %q(ours))
    answer = compile(request, output)
    answer['warnings'] = WARNINGS unless WARNINGS.empty?
    puts JSON.generate(request.merge(answer))
  end
end
