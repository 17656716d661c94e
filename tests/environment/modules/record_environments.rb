# Compiles catalogs of small environments with Puppet, and adds its answers to the cases.
#
#   ruby -I PUPPET_LIB tests/environment/modules/record_environments.rb FILE.jsonl
#
# A case has the files of an environment, which is below a code directory as on a server, and those
# of the base module path, and settings as in puppet.conf. The answer: the paths of the environment, what was logged, the error.
require 'fileutils'
require 'json'
require 'puppet'
require 'tmpdir'

WORK = Dir.mktmpdir
Puppet.initialize_settings(['--confdir', "#{WORK}/conf", '--vardir', "#{WORK}/conf", '--codedir', "#{WORK}/code",
                            '--basemodulepath', "#{WORK}/code/modules", '--strict', 'error',
                            '--strict_variables', 'true'])
NODE = 'node.example.com'.freeze
LOGGED = []

Puppet::Util::Log.newdesttype(:memory) do
  match(/^memory$/)
  def initialize(*); end

  def handle(message)
    LOGGED << [message.level.to_s, message.message.sub(/\s*\(file & line not available\)/, '')]
  end
end
Puppet::Util::Log.newdestination('memory')
Puppet::Util::Log.level = :notice

def write_files(root, files)
  FileUtils.mkdir_p(root)
  files.each do |name, text|
    path = File.join(root, name)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
end

def compile(environment, facts)
  node = Puppet::Node.new(NODE, environment: environment, facts: Puppet::Node::Facts.new(NODE, facts))
  node.merge(facts)
  node.add_server_facts({})
  trusted = Puppet::Context::TrustedInformation.new('remote', NODE, {})
  node.trusted_data = trusted.to_h
  Puppet.override(trusted_information: trusted) { Puppet::Parser::Compiler.compile(node) }
end

def answer(request, code)
  result = {}
  files = request['files'].transform_values { |text| text.gsub('<code>', code) }
  write_files("#{code}/environments/oracle", files)
  write_files("#{code}/modules", request['base'] || {})
  Puppet[:code] = request['code'] unless request['code'].empty?
  (request['settings'] || {}).each do |name, text|
    Puppet[name.to_sym] = text.gsub('<code>', code)
  end
  directories = Puppet::Environments::Directories.new("#{code}/environments", ["#{code}/modules"])
  Puppet.override(environments: directories) do
    environment = directories.get!('oracle')
    result['modulepath'] = environment.full_modulepath
    result['manifest'] = environment.manifest
    Puppet.override(current_environment: environment) { compile(environment, 'kernel' => 'Linux') }
  end
  result
rescue StandardError => e
  result.merge('error' => e.message.sub(/ on node \S+\z/, ''))
end

file = File.expand_path(ARGV.fetch(0))
cases = File.readlines(file).map { |line| JSON.parse(line) }
Dir.chdir('/') # a path that stays relative is relative to where Puppet runs
answers = cases.map do |request|
  reader, writer = IO.pipe
  child = fork do
    reader.close
    result = answer(request, "#{WORK}/code")
    logs = LOGGED.reject { |level, _| result.key?('error') && level == 'err' }.uniq
    result['logs'] = logs unless logs.empty?
    writer.write(JSON.generate(result).gsub("#{WORK}/code/environments/oracle", '<environment>').gsub("#{WORK}/code", '<code>'))
    writer.close
    exit!(0)
  end
  writer.close
  result = JSON.parse(reader.read)
  Process.wait(child)
  FileUtils.rm_rf("#{WORK}/code")
  asked = request.slice('id', 'code', 'settings', 'files', 'base')
  JSON.generate(asked.merge(result))
end
File.write(file, "#{answers.join("\n")}\n")
