# Compiles catalogs with the Puppet on the load path, as a server does: a JSON object a line in and out.
# in:  {"id", "code", "facts": {...}, "modulepath": [directories], "node": name, "times": number}
# out: {"id", "resources", "edges"} or {"id", "error"}, "logs": [[level, text]], and for "times" runs
#      "seconds": the CPU seconds of the fastest one, each with a fresh environment, and "kept": of the
#      fastest one with an environment that is kept; "needs": what was loaded from Ruby
# A group of requests (ARGV[0] of them, 20 by default, 0 for all) is answered by a process of its own.
require 'json'
require 'tmpdir'
require 'timeout'
require 'puppet'
require_relative 'compiled'

LIMIT = 60
FOLDER = Dir.mktmpdir
at_exit { FileUtils.rm_rf(FOLDER) if Process.pid == OWNER }
OWNER = Process.pid
$stdout.sync = true

Puppet.initialize_settings(['--confdir', FOLDER, '--vardir', FOLDER, '--strict', 'error', '--strict_variables', 'true'])
Puppet[:strict] = :error
Puppet[:strict_variables] = true
Puppet::Util::Log.level = :info

LOGGED = []
Puppet::Util::Log.newdesttype :catalogs do
  match(/^catalogs$/)
  def initialize(*); end

  def handle(message)
    LOGGED << [message.level.to_s, message.message.to_s]
  end
end
Puppet::Util::Log.newdestination('catalogs')

# Which Ruby of the modules a case loads: functions of both kinds, and templates.
NEEDED = []
module Templates
  def file=(name)
    super
    NEEDED << "erb:#{name}"
  end
end
Puppet::Parser::TemplateWrapper.prepend(Templates)
module Loads
  def load(name, *)
    NEEDED << "3x:#{Regexp.last_match(1)}" if name =~ %r{/lib/puppet/parser/functions/(\w+)\.rb\z} && !name.start_with?(PUPPET)
    super
  end
end
Kernel.singleton_class.prepend(Loads)
Object.prepend(Loads)
PUPPET = File.dirname(File.dirname($LOADED_FEATURES.grep(%r{/puppet/version\.rb\z}).first))
module Instantiates
  def create(loader, name, source, text)
    file = source.is_a?(Array) ? source.first : source
    NEEDED << "4x:#{name.name}" unless file.to_s.start_with?(PUPPET)
    super
  end
end
Puppet::Pops::Loader::RubyFunctionInstantiator.singleton_class.prepend(Instantiates)

# An environment, with what Puppet keeps beside it.
def surroundings(request)
  environment = Puppet::Node::Environment.create(:production, request['modulepath'], Puppet::Node::Environment::NO_MANIFEST)
  trusted = Puppet::Context::TrustedInformation.new('remote', request['node'], {})
  { current_environment: environment, trusted_information: trusted, loaders: Puppet::Pops::Loaders.new(environment),
    environments: Puppet::Environments::Static.new(environment) }
end

def compile(request, around)
  name = request['node']
  environment, trusted = around.values_at(:current_environment, :trusted_information)
  Puppet.override(around) do
    Puppet[:code] = request['code']
    Puppet[:node_name_value] = name
    environment.each_plugin_directory { |folder| $LOAD_PATH << folder unless $LOAD_PATH.include?(folder) }
    compiled(name, environment, request['facts'], trusted)
  end
end

def spent
  before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
end

def with_new_facts(request)
  request.merge('facts' => Marshal.load(Marshal.dump(request['facts'])))
end

def answer(request)
  [LOGGED, NEEDED].each(&:clear)
  Puppet.clear_deprecation_warnings
  Puppet::Util::Warnings.clear_warnings
  result = {}
  times = request.fetch('times', 1)
  seconds = Array.new(times) do
    fresh = with_new_facts(request)
    spent { result = Timeout.timeout(LIMIT) { contents(compile(fresh, surroundings(fresh))) } }
  end
  if request.key?('times')
    around = surroundings(request)
    kept = Array.new(times + 1) do
      fresh = with_new_facts(request)
      spent { contents(compile(fresh, around)) }
    end
    result.update('seconds' => seconds.min, 'kept' => kept.min)
  end
  result
rescue Timeout::Error
  { 'error' => "no answer in #{LIMIT} s", 'crash' => true }
rescue Exception => e # a SecurityError is no StandardError
  { 'error' => e.message, 'class' => e.class.name }
ensure
  NEEDED.uniq!
end

def answer_group(lines, output)
  lines.each do |line|
    request = JSON.parse(line)
    result = answer(request)
    result['needs'] = NEEDED.dup
    result['logs'] = LOGGED.reject { |level, _| level == 'debug' }
    text = begin
      JSON.generate(result.merge('id' => request['id']))
    rescue StandardError => e
      JSON.generate('id' => request['id'], 'error' => "not JSON: #{e.message.dump}", 'crash' => true)
    end
    output.puts(text)
    output.flush
  end
end

group = (ARGV.shift || '20').to_i
if group.zero?
  output = $stdout.dup
  $stdout.reopen(File::NULL) # programs that a function starts must not write among the answers
  answer_group($stdin.each_line, output)
else
  $stdin.each_line.each_slice(group) do |lines|
    child = fork do
      output = $stdout.dup
      $stdout.reopen(File::NULL)
      answer_group(lines, output)
      exit!(0)
    end
    Process.wait(child)
  end
end
