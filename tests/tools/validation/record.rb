# Asks the tools that read files of modules what they say of them, and adds the answers to the cases.
#
#   ruby -I PUPPET/lib -I METADATA_JSON_LINT/lib -I BOLT/lib -I R10K/lib -I SPEC_HELPER/lib record.rb FILE.jsonl
#
# and -I of the libraries that these need. A case has files, the path of the one that is judged, and
# its kind. The answer is "found", a list: the level, what finds it, the message. The directory of
# the files is ROOT in messages.
require 'fileutils'
require 'json'
require 'open3'
require 'puppet'
require 'puppet/module_tool/metadata'
require 'stringio'
require 'tmpdir'

def write_files(root, files)
  files.each do |name, text|
    path = File.join(root, name)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
end

# What of a library is used, without the libraries that it needs itself.
def without(*names)
  loaded = Object.method(:require)
  Kernel.define_method(:require) { |name| names.any? { |each| name.start_with?(each) } || loaded.call(name) }
  yield
ensure
  Kernel.define_method(:require) { |name| loaded.call(name) }
end

def lint(path)
  require 'metadata_json_lint'
  JSON::Validator.singleton_class.attr_accessor(:use_multi_json) # newer releases have it
  found = []
  MetadataJsonLint.instance_variable_set(:@errors, [])
  MetadataJsonLint.instance_variable_set(:@warnings, [])
  $stdout = StringIO.new
  MetadataJsonLint.parse(path)
  $stdout = STDOUT
  { 'error' => :@errors, 'warning' => :@warnings }.each do |level, name|
    MetadataJsonLint.instance_variable_get(name).each { |text| found << [level, *text.split(': ', 2)] }
  end
  found
rescue StandardError => e
  $stdout = STDOUT
  [['error', 'crash', e.message]]
end

def ask_metadata(root, path)
  found = lint(path)
  begin
    data = JSON.parse(File.read(path))
    Puppet::ModuleTool::Metadata.new.update(data) if data.is_a?(Hash)
  rescue ArgumentError => e
    found << ['error', 'puppet', e.message]
  rescue StandardError
    nil
  end
  begin
    Puppet::Module.new('m', root, nil)
  rescue Puppet::Module::Error => e
    found << ['error', 'puppet', e.message]
  rescue StandardError => e
    found << ['error', 'puppet', e.message.lines.first.chomp]
  end
  found
end

def ask_task(root, path)
  mod = Puppet::Module.new('m', root, $environment)
  name = File.basename(path, '.*')
  found = mod.tasks.find { |each| each.name == (name == 'init' ? 'm' : "m::#{name}") }
  return [['warning', 'puppet', 'no task']] unless found

  found.validate
  []
rescue Puppet::Module::Task::Error, JSON::ParserError => e
  [['error', 'puppet', e.message]]
rescue StandardError => e
  [['error', 'ruby', e.message]]
end

def ask_yaml_plan(_root, path)
  unless defined?(Bolt::PAL::YamlPlan::Loader)
    require 'bolt/error'
    Bolt.const_set(:PAL, Class.new)
    require 'bolt/util'
    require 'bolt/pal/yaml_plan/loader'
  end
  Puppet[:tasks] = true
  Bolt::PAL::YamlPlan::Loader.from_string('m::p', File.read(path), path)
  []
rescue StandardError, SyntaxError => e
  [['error', 'bolt', e.message.sub(/#<.*/m, '')]]
end

def ask_puppetfile(root, path)
  unless defined?(R10K)
    # The library of the Forge is only asked for names and versions.
    Object.const_set(:PuppetForge, Module.new do
      const_set(:Util, Class.new { def self.version_valid?(text) = SemanticPuppet::Version.valid?(text) })
      const_set(:V3, Module.new { def self.normalize_name(name) = name.tr('/', '-') })
      const_get(:V3).const_set(:Module, Class.new { def initialize(*); end })
      define_singleton_method(:host=) { |_| nil }
      define_singleton_method(:host) { '' }
    end)
    Kernel.define_method(:_) { |text| text }
    without('puppet_forge', 'r10k/forge', 'r10k/tarball', 'r10k/svn') do
      require 'r10k'
      require 'r10k/logging'
      require 'r10k/module_loader/puppetfile'
    end
    R10K.const_set(:SVN, Module.new { const_set(:WorkingDir, Class.new { def initialize(*, **); end }) })
  end
  warned = []
  R10K::Module::Base.define_method(:logger) do
    Class.new(BasicObject) do
      define_method(:method_missing) { |name, text = nil, *| warned << ['warning', 'r10k', text] if name == :warn }
    end.new
  end
  begin
    R10K::ModuleLoader::Puppetfile.new(basedir: root, puppetfile: path).load!
  rescue StandardError, SyntaxError => e
    cause = e.respond_to?(:original) && e.original ? e.original : e
    warned << ['error', cause.class.name, cause.message.lines.first.chomp]
  end
  warned
end

def ask_fixtures(root, path)
  unless defined?(PuppetlabsSpecHelper)
    %i[desc task].each { |name| Object.define_method(name) { |*| nil } }
    require 'puppetlabs_spec_helper/tasks/fixtures'
  end
  ENV['FIXTURES_YML'] = path
  Dir.chdir(root) { %w[symlinks repositories forge_modules].each { |name| fixtures_of(name) } }
  []
rescue StandardError => e
  [['error', e.class.name, e.message.lines.first.chomp]]
end

def fixtures_of(category)
  Class.new { include PuppetlabsSpecHelper::Tasks::FixtureHelpers }.new.fixtures(category)
end

# The first error; the line of the file that ruby reads is one after that of the template.
def ask_erb(_root, path)
  code, = Open3.capture2('erb', '-P', '-x', '-T', '-', stdin_data: File.read(path))
  _, errors, status = Open3.capture3('ruby', '-c', stdin_data: code)
  return [] if status.success?

  line, message = errors.match(/^-:(\d+): (.*)/).captures
  [['error', (line.to_i - 1).to_s, message]]
end

Puppet.initialize_settings(['--confdir', Dir.mktmpdir, '--vardir', Dir.mktmpdir])
Puppet::Util::Log.level = :crit
$environment = Puppet::Node::Environment.create(:production, [])
cases = File.readlines(ARGV[0]).map { |line| JSON.parse(line) }
cases.each do |request|
  Dir.mktmpdir do |directory|
    root = "#{directory}/m"
    write_files(root, request['files'])
    $environment = Puppet::Node::Environment.create(:production, [directory])
    Puppet.override(environments: Puppet::Environments::Static.new($environment)) do
      found = send("ask_#{request['kind']}", root, File.join(root, request['path']))
      request['found'] = found.map { |each| each.map { |text| text.gsub(root, 'ROOT').gsub(directory, 'ABOVE') } }
    end
  end
end
File.write(ARGV[0], cases.map { |request| "#{JSON.generate(request)}\n" }.join)
