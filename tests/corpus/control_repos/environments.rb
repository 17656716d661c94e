# Compiles catalogs of nodes in environments with the Puppet on the load path, as a server does.
# in, a JSON object a line:  {"id", "environment": directory, "node": name, "facts": {...},
#      "strict": level, "strict_variables": boolean}, "code": the site manifest if it is not that of the environment
# out: {"id", "resources", "edges"} or {"id", "error"}, and "seconds"
# An environment with what Puppet keeps beside it is made once, for all of its nodes; for each "code" anew.
require 'json'
require 'timeout'
require 'tmpdir'
require 'puppet'
require_relative '../compiled'

LIMIT = 300
SETTINGS_FOLDER = Dir.mktmpdir
at_exit { FileUtils.rm_rf(SETTINGS_FOLDER) }

Puppet.initialize_settings(['--confdir', SETTINGS_FOLDER, '--vardir', SETTINGS_FOLDER])
# Manifests read them: those of a server.
Puppet[:confdir] = '/etc/puppetlabs/puppet'
Puppet[:vardir] = '/opt/puppetlabs/puppet/cache'
Puppet[:codedir] = '/etc/puppetlabs/code'
Puppet[:logdir] = '/var/log/puppetlabs/puppet'
Puppet::Util::Log.level = :err

# What comes of an environment, by its directory.
class Surroundings
  attr_reader :environment

  def initialize(directory)
    name = File.basename(directory).to_sym
    conf = Puppet::Settings::EnvironmentConf.load_from(directory, [])
    @environment = Puppet::Node::Environment.create(name, conf.modulepath.split(File::PATH_SEPARATOR), conf.manifest)
    @environments = Puppet::Environments::StaticDirectory.new(name.to_s, directory, @environment)
    @loaders = Puppet::Pops::Loaders.new(@environment)
    @environment.each_plugin_directory { |folder| $LOAD_PATH << folder unless $LOAD_PATH.include?(folder) }
  end

  def within(trusted, &block)
    Puppet.override(current_environment: @environment, environments: @environments, loaders: @loaders, trusted_information: trusted, &block)
  end
end

KNOWN = Hash.new { |known, directory| known[directory] = Surroundings.new(directory) }

def compile(request)
  around = request['code'] ? Surroundings.new(request['environment']) : KNOWN[request['environment']]
  name = request['node']
  trusted = Puppet::Context::TrustedInformation.new('remote', name, {})
  around.within(trusted) do
    Puppet[:code] = request['code'] || ''
    Puppet[:node_name_value] = name
    Puppet[:strict] = request['strict'].to_sym
    Puppet[:strict_variables] = request['strict_variables']
    compiled(name, around.environment, request['facts'], trusted)
  end
end

def answer(request)
  Timeout.timeout(LIMIT) { contents(compile(request)) }
rescue Timeout::Error
  { 'error' => "no answer in #{LIMIT} s" }
rescue Exception => e # a SecurityError is no StandardError
  { 'error' => e.message }
end

output = $stdout.dup
$stdout.reopen(File::NULL) # programs that a function starts must not write among the answers
$stdin.each_line do |line|
  request = JSON.parse(line)
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  result = answer(request)
  seconds = (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start).round(2)
  output.puts(JSON.generate(result.merge('id' => request['id'], 'seconds' => seconds)))
  output.flush
end
