# Evaluates what it is given with the Puppet on the load path, each text in a process of its own: a JSON object a line in
# and out.
# in:  {"id", "code", "stdlib": version, "strict"}; STDLIBS names a directory with VERSION/stdlib
# out: {"id", "value", "type", "logs"}, {"id", "error": {"message", "line", "column"}, "logs"}, or {"id", "crash"} where
#      there is no answer that counts
require 'json'
require 'puppet'
require 'puppet_pal'
require 'timeout'
require 'tmpdir'

SECONDS = 5
STDLIBS = ENV.fetch('STDLIBS')
ADDRESS = /0x[0-9a-f]{16}/.freeze
folder = Dir.mktmpdir
at_exit { FileUtils.remove_entry(folder) }
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder])
Puppet[:certname] = Puppet[:node_name_value] = 'node.example.com'
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

def plain(text)
  text.gsub(/ on node \S+/, '').gsub(/ \((?:file: [^,()]+, )?line: \d+(?:, column: \d+)?\)/, '').gsub(/\n   \(location: [^)]*\)/, '')
end

def evaluate(code, strict, modulepath)
  facts = { 'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12', 'minor' => '5', 'full' => '12.5' } },
            'kernel' => 'Linux', 'networking' => { 'fqdn' => 'node.example.com', 'hostname' => 'node', 'ip' => '10.0.0.1' } }
  Puppet::Pal.in_tmp_environment('oracle', modulepath: [modulepath], facts: facts) do |env|
    env.with_catalog_compiler do |compiler|
      Puppet[:strict] = strict.to_sym # the compiler sets its own
      LOGGED.clear
      value = compiler.evaluate_string(code)
      converter = Puppet::Pops::Types::StringConverter
      any = Puppet::Pops::Types::PAnyType::DEFAULT
      { 'value' => converter.convert(value, { any => '%p' }), 'type' => Puppet::Pops::Types::TypeCalculator.infer(value).to_s }
    end
  end
end

def answer(request)
  Timeout.timeout(SECONDS) { evaluate(request['code'], request['strict'], "#{STDLIBS}/#{request['stdlib']}") }
rescue Timeout::Error
  { 'crash' => 'no answer in time' }
rescue Puppet::PreformattedError, Puppet::ParseErrorWithIssue => e
  { 'error' => { 'message' => plain(e.message), 'line' => e.line, 'column' => e.pos } }
rescue Exception => e # rubocop:disable Lint/RescueException
  { 'error' => { 'message' => plain(e.message), 'line' => nil, 'column' => nil } }
end

# What all need is loaded once, before the first fork.
WARM = "notice(sprintf('%s', 1)) [[1], {'a' => Integer[1]}, /x/, Sensitive(1), File['/a'], Timestamp(0), String(1.5), type(1)]"
Dir["#{STDLIBS}/*"].each { |path| evaluate(WARM, 'warning', path) }
$gone = nil

def line_of(request)
  found = answer(request)
  found['logs'] = LOGGED.map { |level, text| [level, plain(text)] }
  # Puppet logs its errors too; only that of several ones counts as a message of its own.
  message = found.dig('error', 'message').to_s
  found['logs'].delete(['err', message]) unless message.start_with?('Language validation')
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
    exit!(0)
  end
  writer.close
  IO.copy_stream(reader, $stdout)
  reader.close
  Process.wait(child)
  $stdout.flush
end
