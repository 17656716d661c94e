# Records the graph by which an agent applies catalogs, with the Puppet on the load path.
#   ruby -I PUPPET/lib record_order.rb < programs.jsonl | gzip -n9 > order.jsonl.gz
# in:  {"id", "code", "facts"?, "node"?, "modulepath"?, "files"?}; files are those of a modulepath
# out: the same object with "edges": pairs of references, sorted, the first of which comes before the
#      second, and "refreshes": those of them that pass a change on. A container is two points in it,
#      its beginning and its end, which are Puppet's whits. "cycles" is what an agent says about
#      them. Where there is no such graph there is "error" in their place.
# Each group of twenty is answered by a process of its own, since types are loaded for good.
require 'json'
require 'tmpdir'
require 'puppet'
require_relative '../corpus/compiled'

FOLDER = Dir.mktmpdir
OWNER = Process.pid
at_exit { FileUtils.rm_rf(FOLDER) if Process.pid == OWNER }
Puppet.initialize_settings(['--confdir', FOLDER, '--vardir', FOLDER, '--strict', 'error', '--strict_variables', 'true'])
Puppet[:strict] = :error
Puppet[:strict_variables] = true
Puppet::Util::Log.level = :err

LOGGED = []
Puppet::Util::Log.newdesttype :order do
  match(/^order$/)
  def initialize(*); end

  def handle(message)
    LOGGED << message.message.to_s
  end
end
Puppet::Util::Log.newdestination('order')

# The modulepath, with the files of a request.
def modulepath(request)
  return request.fetch('modulepath', []) unless request.key?('files')

  modules = File.join(FOLDER, 'modules', request['id'])
  request['files'].each do |name, text|
    FileUtils.mkdir_p(File.dirname(File.join(modules, name)))
    File.write(File.join(modules, name), text)
  end
  [modules]
end

def surroundings(request, name)
  environment = Puppet::Node::Environment.create(:production, modulepath(request), Puppet::Node::Environment::NO_MANIFEST)
  { current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment),
    trusted_information: Puppet::Context::TrustedInformation.new('remote', name, {}),
    environments: Puppet::Environments::Static.new(environment) }
end

# What a server sends.
def sent(request, name)
  Puppet[:code] = request['code']
  Puppet[:node_name_value] = name
  around = surroundings(request, name)
  environment, trusted = around.values_at(:current_environment, :trusted_information)
  Puppet.override(around) do
    environment.each_plugin_directory { |folder| $LOAD_PATH << folder unless $LOAD_PATH.include?(folder) }
    compiled(name, environment, request.fetch('facts', {}), trusted)
  end
ensure
  Puppet[:code] = '' # an agent has none
end

def answer(request)
  LOGGED.clear
  name = request.fetch('node', 'node.example.com')
  catalog = sent(request, name)
  Puppet.override(surroundings(request, name)) do
    graph = Puppet::Resource::Catalog.from_data_hash(catalog).to_ral.relationship_graph
    pairs = graph.edges.group_by { |edge| [edge.source.ref, edge.target.ref] }
    refreshes = pairs.select { |_, edges| edges.any? { |edge| edge.callback == :refresh } }.keys
    graph.report_cycles_in_graph
    said = LOGGED.grep(/\AFound \d+ dependency cycle/)
    { 'edges' => pairs.keys.sort, 'refreshes' => refreshes.sort, 'cycles' => said.first }
  end
rescue StandardError, SyntaxError, LoadError => e
  { 'error' => e.message }
end

$stdin.each_line.each_slice(20) do |lines|
  child = fork do
    output = $stdout.dup
    $stdout.reopen(File::NULL)
    lines.each do |line|
      request = JSON.parse(line)
      output.puts(JSON.generate(request.merge(answer(request))))
      output.flush
    end
    exit!(0)
  end
  Process.wait(child)
end
