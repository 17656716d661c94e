# Asks the Puppet on the load path about its settings, as a server that compiles has them.
#   ruby -I PUPPET_LIB settings.rb table              writes the table of all settings, a JSON array a line
#   ruby -I PUPPET_LIB settings.rb < settings.jsonl   records these cases anew
# in:  {"id", "settings": {name: text}, "names"?: [name], "conf"?: text of environment.conf}
# out: the same object with "all_local", or with "error"; "values" has $settings::NAME of each of "names".
#      Only what "settings" changes is in "all_local", except where there are none.
# The directories are those of a process of root, whoever runs this.
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

HOME = { confdir: '/etc/puppetlabs/puppet', codedir: '/etc/puppetlabs/code', vardir: '/opt/puppetlabs/puppet/cache',
         publicdir: '/opt/puppetlabs/puppet/public', rundir: '/var/run/puppetlabs', logdir: '/var/log/puppetlabs/puppet' }.freeze
NODE = 'server.example.com'.freeze

def begin_server(confdir)
  Puppet.initialize_settings(['--confdir', confdir, '--vardir', confdir, '--codedir', confdir], false)
  Puppet::Util::Log.level = :err
  mode = Puppet::Util::RunMode[:server]
  Puppet.settings.initialize_app_defaults(Puppet::Settings.app_defaults_for_run_mode(mode))
end

# Return the text that a setting has by default, in which other settings are named.
def default_of(setting, confdir)
  return HOME[setting.name] if HOME.key?(setting.name)
  return '$certname' if setting.name == :node_name_value
  return if setting.name == :certname # that of the machine

  value = setting.default
  value.is_a?(String) ? value.gsub(confdir, '$confdir') : value
end

def table(confdir)
  begin_server(confdir)
  Puppet.settings.each_key do |name|
    next if name == :name

    setting = Puppet.settings.setting(name)
    kind = setting.is_a?(Puppet::Settings::AliasSetting) ? 'alias' : setting.class.name[/(\w+)Setting\z/, 1]
    row = [name, kind, kind == 'alias' ? setting.alias_name : default_of(setting, confdir)]
    row << setting.values if setting.respond_to?(:values)
    puts JSON.generate(row)
  end
end

def printable(value)
  case value
  when Float then value.infinite? ? { 'float' => value.to_s } : value
  when Hash then value.transform_values { |item| printable(item) }
  when Array then value.map { |item| printable(item) }
  else value
  end
end

# Let Puppet read settings from a puppet.conf, and what it does not accept there from a command line.
def give(settings)
  arguments, lines = settings.partition { |_name, value| value.include?('${') }
  of_command_line = Puppet.settings.instance_variable_get(:@value_sets)[:cli].instance_variable_get(:@values)
  lines.each { |name, _value| of_command_line.delete(name.to_sym) } # would precede
  arguments.each { |name, value| Puppet.settings.handlearg("--#{name}", value) }
  Puppet.settings.send(:parse_config, "[main]\n#{lines.map { |name, value| "#{name} = #{value}\n" }.join}")
end

def compile(request, directory)
  HOME.merge(certname: NODE).each do |name, value|
    Puppet.settings.handlearg("--#{name}", value)
  end
  give(request['settings'])
  path = "#{Puppet[:environmentpath]}/production"
  manifest = "#{directory}/site.pp"
  values = (request['names'] || []).map { |name| "$settings::#{name}" }
  File.write(manifest, "$all = $settings::all_local $values = [#{values.join(', ')}]")
  environment = Puppet::Node::Environment.create(:production, [], manifest)
  conf = Puppet::Settings::EnvironmentConf.load_from(path, environment.modulepath + Puppet[:basemodulepath].split(':'))
  if request['conf']
    File.write("#{directory}/environment.conf", request['conf'])
    section = Puppet.settings.parse_file("#{directory}/environment.conf").sections[:main]
    conf = Puppet::Settings::EnvironmentConf.new(path, section, Puppet[:basemodulepath].split(':'))
  end
  environments = Puppet::Environments::Static.new(environment)
  environments.define_singleton_method(:get_conf) { |_name| conf }
  Puppet.override(current_environment: environment, environments: environments, loaders: Puppet::Pops::Loaders.new(environment)) do
    node = Puppet::Node.new(NODE, environment: environment)
    node.add_server_facts({})
    compiler = Puppet::Parser::Compiler.new(node)
    compiler.compile
    scope = compiler.topscope
    { 'all_local' => printable(scope['all']), 'values' => printable(scope['values']) }
  end
rescue StandardError => e
  { 'error' => e.message }
end

def in_child
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    writer.write(JSON.generate(yield))
    writer.close
    exit!(0)
  end
  writer.close
  answer = JSON.parse(reader.read)
  Process.wait(pid)
  answer
end

Dir.chdir('/') # where relative paths begin
Dir.mktmpdir do |directory|
  if ARGV == ['table']
    table(directory)
    exit
  end
  begin_server(directory)
  plain = in_child { compile({ 'settings' => {} }, directory) }
  $stdin.each_line do |line|
    request = JSON.parse(line).slice('id', 'settings', 'names', 'conf')
    answer = in_child { compile(request, directory) }
    unless request['settings'].empty? && request['conf'].nil?
      answer['all_local']&.select! { |name, value| value != plain['all_local'][name] }
    end
    answer.delete('values') unless request['names']
    puts JSON.generate(request.merge(answer))
  end
end
