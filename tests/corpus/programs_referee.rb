# Runs what it is given with the Puppet on the load path, each text in a process of its own: a JSON object a line in and
# out.
# in:  {"id", "code", "mode": "eval" | "parse" | "parse_only" | "catalog" | "epp", "strict", "facts", "params", "files",
#      "stdlib", "node"}, all but the first two as in tests/conformance, a node for each catalog; STDLIBS names a directory
#      with VERSION/stdlib if any text needs one
# out: {"id"} and of what the mode gives: "value", "str", "type"; "pn"; "resources", "edges"; "str"; else "error", the
#      whole message, and "issue", Puppet's code of it if it has one; with any of these "logs"; or "crash" where there is
#      no answer that counts
require 'fileutils'
require 'json'
require 'puppet'
require 'puppet_pal'
require 'puppet/pops/model/pn_transformer'
require 'puppet/pops/pn'
require 'timeout'
require 'tmpdir'
require_relative 'compiled'

abort("this is Puppet #{Puppet.version}: PUPPET_LIB has to name the lib directory of Puppet 8") if Puppet.version.to_i < 8

SECONDS = 5
STDLIBS = ENV['STDLIBS']
ADDRESS = /0x[0-9a-f]{16}(?![0-9a-f])/.freeze
FACTS = { 'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12', 'minor' => '5', 'full' => '12.5' } },
          'kernel' => 'Linux', 'networking' => { 'fqdn' => 'node.example.com', 'hostname' => 'node', 'ip' => '10.0.0.1' } }.freeze
FOLDER = Dir.mktmpdir
MAIN = Process.pid
at_exit { FileUtils.remove_entry(FOLDER) if Process.pid == MAIN }
Puppet.initialize_settings(['--confdir', FOLDER, '--vardir', FOLDER, '--strict', 'error', '--strict_variables', 'true'])
Puppet[:certname] = Puppet[:node_name_value] = 'node.example.com'
Puppet[:strict] = :error
Puppet[:strict_variables] = true
Puppet::Util::Log.level = :info

LOGGED = []
Puppet::Util::Log.newdesttype :referee do
  match(/^referee$/)
  def initialize(*); end

  def handle(message)
    LOGGED << [message.level.to_s, message.message.to_s]
  end
end
Puppet::Util::Log.newdestination('referee')

# Puppet 8 has Ruby 3.2: what an older one warns of is an error there, so its answer does not count.
Warning[:deprecated] = true
module Warning
  def self.warn(text, **)
    $gone = text if text.match?(/deprecated/) && text.match?(/=~|Fixnum|Bignum|exists\?/)
  end
end

def described(value)
  converter = Puppet::Pops::Types::StringConverter
  any = Puppet::Pops::Types::PAnyType::DEFAULT
  value = nil if value == :undef
  { 'value' => printed { converter.convert(value, { any => '%p' }) }, 'str' => printed { converter.convert(value, '%s') },
    'type' => printed { Puppet::Pops::Types::TypeCalculator.infer(value).to_s } }.compact
end

# What Puppet cannot print is not compared.
def printed
  yield
rescue StandardError
  nil
end

def parsed(code, mode)
  parser = mode == 'parse' ? Puppet::Pops::Parser::EvaluatingParser.new : Puppet::Pops::Parser::Parser.new
  tree = parser.parse_string(code, nil)
  { 'pn' => printed { Puppet::Pops::Model::PNTransformer.transform(tree).to_s } }.compact
end

def modulepath_of(request)
  path = []
  request.fetch('files', {}).each do |name, text|
    file = "#{FOLDER}/#{Process.pid}/#{name}"
    FileUtils.mkdir_p(File.dirname(file))
    File.binwrite(file, text.is_a?(Hash) ? text['base64'].unpack1('m') : text)
    path = ["#{FOLDER}/#{Process.pid}"]
  end
  request['stdlib'] ? path + ["#{STDLIBS}/#{request['stdlib']}"] : path
end

def evaluated(request)
  facts = Marshal.load(Marshal.dump(request['facts'] || FACTS))
  Puppet::Pal.in_tmp_environment('oracle', modulepath: modulepath_of(request), facts: facts) do |env|
    env.with_catalog_compiler do |compiler|
      Puppet[:strict] = (request['strict'] || 'error').to_sym # the compiler sets its own
      LOGGED.clear
      next { 'str' => compiler.call_function('inline_epp', request['code'], *[request['params']].compact) } if request['mode'] == 'epp'

      described(compiler.evaluate_string(request['code']))
    end
  end
end

# The server's way, which evaluates node blocks and refuses what is left over at the end.
def catalog_of(request)
  name = request['node']
  environment = Puppet::Node::Environment.create(:oracle, modulepath_of(request), Puppet::Node::Environment::NO_MANIFEST)
  trusted = Puppet::Context::TrustedInformation.new('remote', name, {})
  Puppet[:code] = request['code']
  Puppet[:node_name_value] = name
  Puppet[:strict] = (request['strict'] || 'error').to_sym
  Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment),
                  loaders: Puppet::Pops::Loaders.new(environment), trusted_information: trusted) do
    contents(compiled(name, environment, Marshal.load(Marshal.dump(request['facts'] || FACTS)), trusted))
  end
end

def answer(request)
  mode = request['mode']
  Timeout.timeout(SECONDS) do
    next parsed(request['code'], mode) if mode.to_s.start_with?('parse')

    mode == 'catalog' ? catalog_of(request) : evaluated(request)
  end
rescue Timeout::Error
  { 'crash' => 'no answer in time' }
rescue Exception => e # rubocop:disable Lint/RescueException
  { 'error' => e.message, 'issue' => (e.issue_code if e.respond_to?(:issue_code)) }.compact
end

# What all need is loaded once, before the first fork.
WARM = "notice(sprintf('%s', 1)) [[1], {'a' => Integer[1]}, /x/, Sensitive(1), File['/a'], Timestamp(0), String(1.5), type(1)]".freeze
answer({ 'code' => "class a {} include a define b() {} b { 'x': } notify { 'x': }", 'mode' => 'catalog', 'node' => 'warm' })
[nil, *(STDLIBS ? Dir.children(STDLIBS) : [])].each { |version| evaluated({ 'code' => WARM, 'stdlib' => version }.compact) }
$gone = nil

def line_of(request)
  LOGGED.clear
  found = answer(request)
  found['logs'] = LOGGED.dup
  found = { 'crash' => "Ruby 3.2 has this no more: #{$gone}" } if $gone
  JSON.generate({ **found, 'id' => request['id'] }).gsub(ADDRESS, '0xADDRESS')
rescue StandardError => e
  JSON.generate({ 'id' => request['id'], 'crash' => "not UTF-8: #{e.class}" })
end

$stdin.each_line do |line|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    $stdout.reopen(File::NULL)
    $stderr.reopen(File::NULL)
    writer.puts(line_of(JSON.parse(line)))
    writer.close
    FileUtils.rm_rf("#{FOLDER}/#{Process.pid}")
    exit!(0)
  end
  writer.close
  IO.copy_stream(reader, $stdout)
  reader.close
  Process.wait(child)
  $stdout.flush
end
