# What functions and templates of modules see of Puppet: errors, logs, settings, helpers.

module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message, original = nil)
      super(message)
      @original = original
    end

    # The message without a place.
    def basic_text
      RuntimeError.instance_method(:to_s).bind_call(self)
    end
  end

  module ExternalFileError
    attr_accessor :file, :line, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      if pos.is_a?(Exception)
        original = pos
        pos = nil
      end
      super(message, original)
      @file = file unless file == ''
      @line = line
      @pos = pos
    end

    def to_s
      super + Util::Errors.error_location_with_space(@file, @line, @pos)
    end
  end

  class ParseError < Error
    include ExternalFileError
  end

  class ResourceError < Error
    include ExternalFileError
  end

  class ParseErrorWithIssue < ParseError
    attr_reader :issue_code, :basic_message, :arguments
    attr_accessor :environment, :node

    def initialize(message, file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
      super(message, file, line, pos, original)
      @basic_message = message
      @issue_code = issue_code
      @arguments = arguments
    end
  end

  class PreformattedError < ParseErrorWithIssue; end

  class DevError < Error
    include ExternalFileError
  end

  class MissingCommand < Error; end
  class LockError < Error; end

  class ErrorWithData < Error
    include ExternalFileError
    attr_reader :error_data

    def initialize(error_data, message, file: nil, line: nil, pos: nil, original: nil)
      super(message, file, line, pos, original)
      @error_data = error_data
    end
  end

  module DataBinding
    class Error < Puppet::Error; end

    class LookupError < Puppet::PreformattedError; end

    class RecursiveLookupError < LookupError; end
  end

  # Logs

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  # What has a method for each level: Puppet itself, and the scope.
  module Logging
    (LEVELS - [:debug]).each do |level|
      define_method(level) do |text|
        send_log(level, text.is_a?(Array) ? text.join(' ') : text)
      end
    end

    def debug(*words)
      send_log(:debug, block_given? ? yield(*words) : words.join(' '))
    end

    def send_log(level, message)
      text = PuppetRepl::Values.readable(message.to_s)
      level.to_s == 'debug' ? PuppetRepl.debug(text) : PuppetRepl::Host.ask('log', level: level.to_s, message: text)
      nil
    end

    def warn_once(kind, key, message, file = nil, line = nil, level = :warning)
      PuppetRepl::Host.ask('warn_once', kind: kind.to_s, key: key.to_s, message: message.to_s,
                                        file: file && (file == :default ? file : file.to_s),
                                        line: line.is_a?(Integer) ? line : nil, level: level.to_s)
      nil
    end

    def deprecation_warning(message, key = nil)
      PuppetRepl::Host.ask('deprecation_warning', message: message.to_s, key: key&.to_s)
      nil
    end

    def puppet_deprecation_warning(message, options = {})
      deprecation_warning(message, options[:key])
    end

    def log_exception(exception, message = :default, **_options)
      err(message == :default || message.nil? ? exception.message : message)
    end

    def format_exception(exception, message = nil, _trace = true)
      message || exception.message
    end

    def log_and_raise(exception, message)
      log_exception(exception, message)
      raise exception, message
    end
  end
  extend Logging

  module Util
    module Logging
      include Puppet::Logging
    end

    class Log
      def self.levels
        LEVELS
      end

      def self.level
        :notice
      end
    end
  end

  class << self
    def version
      Profile['version']
    end

    def [](name)
      settings[name]
    end

    def settings
      @settings ||= Settings.new
    end

    def lookup(name)
      case name
      when :current_environment then Node::Environment.current
      when :global_scope then Parser::Scope.top
      when :environments then Environments.new
      else
        return yield if block_given?

        PuppetRepl.unavailable("Puppet.lookup(:#{name})")
      end
    end

    def override(*)
      yield
    end

    def features
      Features
    end

    def run_mode
      RunMode
    end
  end

  # The profile of the language, which may be another one in the next session.
  module Profile
    def self.[](name)
      @values ||= PuppetRepl::Host.ask('profile')
      @values[name]
    end

    def self.forget
      @values = nil
    end
  end

  def self.const_missing(name)
    return version if name == :PUPPETVERSION

    PuppetRepl.constant_missing(self, name)
  end

  # The settings that code of modules asks for.
  class Settings
    def [](name)
      value(name)
    end

    def value(name, _environment = nil)
      values[name.to_s]
    end

    def setting(name)
      value(name)
    end

    def forget
      @values = nil
    end

    def include?(name)
      values.key?(name.to_s)
    end

    private

    def values
      @values ||= begin
        told = PuppetRepl::Host.ask('settings')
        told['symbols'].each { |name| told['values'][name] = told['values'][name].to_sym }
        told['values']
      end
    end
  end

  module Features
    def self.method_missing(name, *)
      case name
      when :posix? then true
      when :microsoft_windows? then false
      when :root? then Process.euid.zero?
      else super
      end
    end

    def self.respond_to_missing?(name, _all = false)
      %i[posix? microsoft_windows? root?].include?(name)
    end
  end

  module RunMode
    def self.name
      :user
    end

    def self.server?
      false
    end

    def self.user?
      true
    end

    def self.agent?
      false
    end
  end

  module Node
    # The environment of the session.
    class Environment
      attr_reader :name

      def self.current
        @current ||= new(PuppetRepl::Host.ask('environment_name').to_sym)
      end

      def self.forget
        @current = nil
      end

      def initialize(name)
        @name = name
      end

      def known_resource_types
        Puppet::Resource::TypeCollection.current
      end

      def modulepath
        PuppetRepl::Host.ask('modulepath')
      end
      alias full_modulepath modulepath

      def modules
        PuppetRepl::Host.ask('modules').map { |data| Module.from(data) }
      end

      def module(name)
        Module.find(name)
      end

      def to_s
        name.to_s
      end
    end
  end

  class Environments
    def get(name)
      Node::Environment.current if name.to_s == Node::Environment.current.name.to_s
    end

    def get!(name)
      get(name) || raise(Puppet::Error, "Could not find a directory environment named '#{name}'")
    end
  end

  # A module of the module path.
  class Module
    attr_reader :name, :path, :version

    def self.find(name, _environment = nil)
      return nil if name.nil?

      data = PuppetRepl::Host.ask('module', name: name.to_s)
      data && from(data)
    end

    def self.from(data)
      new(data['name'], data['path'], data['version'], data['metadata'])
    end

    def initialize(name, path, version = nil, metadata = nil)
      @name = name
      @path = path
      @version = version
      @metadata = metadata || {}
    end

    def metadata
      @metadata
    end

    def environment
      Node::Environment.current
    end

    def dependencies
      @metadata['dependencies']
    end

    def forge_name
      @metadata['name']&.tr('-', '/')
    end

    { file: 'files', template: 'templates', manifest: 'manifests', plugin: 'lib' }.each do |kind, directory|
      define_method(kind) do |name = nil|
        full = name ? File.join(path, directory, name) : File.join(path, directory)
        File.exist?(full) ? full : nil
      end
      define_method("#{kind}s") { File.join(path, directory) }
      define_method("#{kind}s?") { File.exist?(File.join(path, directory)) }
    end

    def to_s
      "Module #{name}(#{path})"
    end
  end

  module FileSystem
    class << self
      def exist?(path)
        File.exist?(path)
      end

      def file?(path)
        File.file?(path)
      end

      def directory?(path)
        File.directory?(path)
      end

      def read(path, options = {})
        File.read(path, **options)
      end

      def read_preserve_line_endings(path)
        File.read(path, mode: 'rb', encoding: 'utf-8')
      end

      def binread(path)
        File.binread(path)
      end

      def basename(path)
        Pathname.new(File.basename(path))
      end

      def basename_string(path)
        File.basename(path)
      end

      def dir_string(path)
        File.dirname(path)
      end

      def children(path)
        Dir.children(path).map { |name| File.join(path, name) }
      end

      def pathname(path)
        require 'pathname'
        Pathname.new(path)
      end

      def path_string(path)
        path.to_s
      end

      def expand_path(path, directory = nil)
        File.expand_path(path, directory)
      end

      def open(path, mode, options, &block)
        File.open(path, options, mode, &block)
      end

      def size(path)
        File.size(path)
      end

      def stat(path)
        File.stat(path)
      end

      def readable?(path)
        File.readable?(path)
      end

      def symlink?(path)
        File.symlink?(path)
      end

      def method_missing(name, *)
        PuppetRepl.unavailable("Puppet::FileSystem.#{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end
  end
end

module PuppetRepl
  class Unavailable < NameError; end

  # Raise the error about a part of Puppet that this shim does not have.
  def self.unavailable(name)
    raise Unavailable, "#{name} is not available to functions here"
  end

  # A constant of Puppet that nobody has defined: a file of a module may define it.
  def self.constant_missing(outer, name)
    full = outer == Object ? name.to_s : "#{outer.name}::#{name}"
    if Autoload.load(full) && outer.const_defined?(name, false)
      outer.const_get(name, false)
    else
      unavailable(full)
    end
  end

  on_begin do
    Puppet.settings.forget
    Puppet::Profile.forget
    Puppet::Node::Environment.forget
  end

  # Files of the shim that stand for files of Puppet, by what requires them.
  module Autoload
    OF_SHIM = {
      'Puppet::Type' => 'types', 'Puppet::Parameter' => 'types', 'Puppet::Property' => 'types',
      'Puppet::Provider' => 'types', 'Puppet::CompilableResourceType' => 'types', 'Puppet::ResourceApi' => 'resource_api'
    }.freeze
    @tried = {}

    # Load the file that defines a constant of Puppet; tell whether there was one.
    def self.load(constant)
      return false if @tried[constant]

      @tried[constant] = true
      if OF_SHIM.key?(constant)
        require_relative OF_SHIM[constant]
        return true
      end
      path = constant.gsub('::', '/').gsub(/([a-z\d])([A-Z])/, '\1_\2').downcase
      Kernel.require(path)
      true
    rescue ::LoadError
      false
    end
  end
end

require_relative 'util'
require_relative 'pops'
require_relative 'pops_values'
require_relative 'semantic_puppet'
