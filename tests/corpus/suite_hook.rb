# Loaded by rspec before the suite of a module (rspec-puppet): writes what each example compiles to the file CASES, a JSON
# object a line: {"code", "node", "facts", "own_facts"}, and skips the example. FACTS is a directory of sets of facts: those of
# the systems that metadata.json names are the supported ones; "facts" is the set that the facts of the example are nearest to, "own_facts" what differs from it.
# Only rspec-core and Puppet have to be there: what the suite requires beside them is left out, its constants do nothing.
require 'fileutils'
require 'json'
require 'puppet'
require 'rspec/core'
require 'yaml'

# What a suite requires that has no part in what it compiles.
LEFT_OUT = /spec_helper\z|spec_helper_local\z|rspec|facterdb|voxpupuli|simp|hiera|coverage|mock|puppet\/(type|provider)/.freeze
SETS = Dir[File.join(ENV.fetch('FACTS'), '*.json')].sort.to_h { |file| [File.basename(file, '.json'), JSON.parse(File.read(file))] }
SUPPORTED = JSON.parse(File.read('metadata.json')).fetch('operatingsystem_support', []).map { |os| os['operatingsystem'].downcase }
CUSTOM_FACTS = {} # rubocop:disable Style/MutableConstant

module Kernel
  alias require_of_suite require
  def require(name)
    require_of_suite(name)
  rescue LoadError
    raise unless name.match?(LEFT_OUT)

    false
  end
end

# Stands for what is left out.
class LeftOut < Module
  def method_missing(*); end

  def respond_to_missing?(*)
    true
  end

  def const_missing(name)
    const_set(name, LeftOut.new)
  end
end

def Object.const_missing(name)
  const_set(name, LeftOut.new)
end
module RSpec
  module Puppet
    # Text of a parameter that is code already, and a secret.
    RawString = Struct.new(:code)
    Sensitive = Struct.new(:unwrap)
    Coverage = LeftOut.new
  end

  # Settings of rspec-puppet, and of what comes with it, are kept and mean nothing here, but for default_facts.
  class Core::Configuration
    def method_missing(name, *arguments)
      @of_suite ||= {}
      name.end_with?('=') ? @of_suite[name.to_s.delete_suffix('=')] = arguments.first : @of_suite[name.to_s]
    end

    def respond_to_missing?(*)
      true
    end
  end
end

# Some suites look facts up by symbols, others by strings.
def with_symbols(value)
  case value
  when Hash
    found = Hash.new { |hash, key| hash[key.to_sym] if key.is_a?(String) && hash.key?(key.to_sym) }
    value.each { |key, each| found[key.to_s.to_sym] = with_symbols(each) }
    found
  when Array then value.map { |each| with_symbols(each) }
  else value
  end
end

def with_strings(value)
  case value
  when Hash then value.to_h { |key, each| [key.to_s, with_strings(each)] }
  when Array then value.map { |each| with_strings(each) }
  when Symbol then value.to_s
  else value
  end
end

def merged(one, other)
  one.merge(other) { |_, left, right| left.is_a?(Hash) && right.is_a?(Hash) ? merged(left, right) : right }
end

# What suites call outside of examples, and in them.
module OfSuites
  def on_supported_os(*)
    chosen = SETS.select { |_, facts| SUPPORTED.include?(facts['os']['name'].downcase) }
    (chosen.empty? ? SETS : chosen).to_h do |name, facts|
      os = "#{name}-x86_64"
      own = CUSTOM_FACTS.to_h { |fact, value| [fact.to_sym, value.respond_to?(:call) ? value.call(os, with_symbols(facts)) : value] }
      [os, with_symbols(facts).merge(with_symbols(RSpec.configuration.default_facts || {}), own)]
    end
  end

  def on_os_under_test
    on_supported_os.first(1).to_h
  end

  def add_custom_fact(name, value, **)
    CUSTOM_FACTS[name] = value
  end

  def add_mocked_facts!; end

  def override_facts(base, **overrides)
    merged(with_symbols(base), with_symbols(overrides))
  end

  def ref(type, title)
    RSpec::Puppet::RawString.new("#{type}['#{title}']")
  end

  def sensitive(value)
    RSpec::Puppet::Sensitive.new(value)
  end
end
extend OfSuites
Object.include(OfSuites)
RSpec.configuration.include(OfSuites)
RSpec.configuration.extend(OfSuites)

def code_of(value)
  case value
  when nil, :undef then 'undef'
  when :default then 'default'
  when RSpec::Puppet::RawString then value.code
  when RSpec::Puppet::Sensitive then "Sensitive(#{code_of(value.unwrap)})"
  when Hash then "{ #{value.map { |key, each| "#{code_of(key)} => #{code_of(each)}" }.join(', ')} }"
  when Array then "[#{value.map { |each| code_of(each) }.join(', ')}]"
  when Symbol, String then "'#{value.to_s.gsub(/['\\]/) { |sign| "\\#{sign}" }}'"
  else value.inspect
  end
end

# What an example compiles.
class Compiled
  def initialize(example, instance)
    @instance = instance
    @name = example.example_group.top_level_description.to_s.downcase
    file = example.metadata[:file_path].to_s
    @kind = example.metadata[:type] || { 'classes' => :class, 'defines' => :define }[file[%r{/(classes|defines)/}, 1]] || :class
  end

  def to_h
    return unless %i[class define].include?(@kind) && @name.match?(/\A(::)?\w+(::\w+)*\z/)

    facts = JSON.parse(JSON.generate(with_strings(RSpec.configuration.default_facts || {}).merge(with_strings(given(:facts) || {}))))
    set, own = nearest(facts)
    { 'code' => code, 'node' => given(:node) || 'foo.example.com', 'facts' => set, 'own_facts' => own }
  end

  private

  def given(name)
    @instance.public_send(name) if @instance.respond_to?(name)
  end

  def code
    [*given(:pre_condition), declaration, *given(:post_condition)].flatten.join("\n")
  end

  def declaration
    params = (given(:params) || {}).map { |name, value| "  #{name} => #{code_of(value)},\n" }.join
    return "include #{@name}" if @kind == :class && params.empty?

    title = @kind == :class ? @name : given(:title)
    "#{@kind == :class ? 'class' : @name} { #{code_of(title)}:\n#{params}}"
  end

  def nearest(facts)
    SETS.map { |name, set| [name, facts.reject { |key, value| set[key] == value }] }.min_by { |_, own| own.size }
  end
end

SEEN = {} # rubocop:disable Style/MutableConstant
OUT = File.open(ENV.fetch('CASES'), 'a')
RSpec.configuration.prepend_before(:each) do |example|
  case_of_example = begin
    Compiled.new(example, self).to_h
  rescue StandardError, ScriptError
    nil # needs what is left out
  end
  line = case_of_example && JSON.generate(case_of_example)
  OUT.puts(line) unless line.nil? || SEEN[line]
  SEEN[line] = true
  skip
end

# A file that cannot be loaded does not keep the others from it.
module LoadsAll
  def load_file_handling_errors(method, file)
    __send__(method, file)
  rescue StandardError, ScriptError => e
    warn("#{file}: #{e.class}: #{e.message.lines.first}")
  end
end
RSpec::Core::Configuration.prepend(LoadsAll)
