# Puppet::Util and the other helpers without a state.

module Puppet
  module Util
    autoload :SymbolicFileMode, File.join(__dir__, 'symbolic_file_mode.rb')

    module Errors
      class << self
        # Return "(file: f, line: 1, column: 2)" with what is known, or ''.
        def error_location(file, line = nil, column = nil)
          file = nil if file.is_a?(String) && file.empty?
          parts = []
          parts << "file: #{file}" if file
          parts << "line: #{line}" if line
          parts << "column: #{column}" if column
          parts.empty? ? '' : "(#{parts.join(', ')})"
        end

        def error_location_with_space(file, line = nil, column = nil)
          text = error_location(file, line, column)
          text.empty? ? '' : " #{text}"
        end

        def error_location_with_unknowns(file, line)
          file = nil if file.is_a?(String) && file.empty?
          if line
            "(file: #{file || 'unknown'}, line: #{line})"
          else
            "(file: #{file || 'unknown'})"
          end
        end
      end

      # Raise an error; of several words the last is an exception that came before, or nothing.
      def fail(*words)
        kind = words.first.is_a?(Class) ? words.shift : Puppet::Error
        words.pop if words.size > 1
        raise kind, words.join(' ')
      end

      def devfail(message)
        raise Puppet::DevError, message
      end
    end

    module Package
      PARTS = /[.-]|\d+|[^.\-\d]+/.freeze

      # Compare two versions piece by piece: -1, 0 or 1.
      def self.versioncmp(first, second, ignore_trailing_zeroes = false)
        return 0 if first == second

        if ignore_trailing_zeroes
          first = without_zeroes(first)
          second = without_zeroes(second)
        end
        left = first.scan(PARTS)
        right = second.scan(PARTS)
        until left.empty? || right.empty?
          one = left.shift
          two = right.shift
          next if one == two

          ['-', '.'].each do |sign|
            return -1 if one == sign
            return 1 if two == sign
          end
          return compare(one, two)
        end
        first <=> second
      end

      def versioncmp(*arguments)
        Package.versioncmp(*arguments)
      end

      def self.compare(one, two)
        return one.upcase <=> two.upcase unless one.match?(/\A\d+\z/) && two.match?(/\A\d+\z/)
        return one.to_s.upcase <=> two.to_s.upcase if one.start_with?('0') || two.start_with?('0')

        one.to_i <=> two.to_i
      end
      private_class_method :compare

      def self.without_zeroes(version)
        main, dash, rest = version.partition('-')
        main.sub(/(\.0)+\z/, '') + dash + rest
      end
      private_class_method :without_zeroes
    end

    ABSOLUTE_WINDOWS = %r{\A(?:(?:[A-Z]:[/\\])|(?:[/\\][/\\][^/\\]+[/\\][^/\\]+)|(?:[/\\][/\\]\?[/\\][^/\\]+))}i.freeze

    class << self
      def absolute_path?(path, platform = nil)
        unless path.is_a?(String)
          Puppet.warning("Cannot check if #{path} is an absolute path because it is a '#{path.class}' and not a String'")
          return false
        end
        return path.match?(ABSOLUTE_WINDOWS) if platform == :windows

        path.start_with?('/')
      end

      # A number below max, the same for the same seed.
      def deterministic_rand(seed, max)
        deterministic_rand_int(seed, max).to_s
      end

      def deterministic_rand_int(seed, max)
        Random.new(seed).rand(max)
      end

      def which(name)
        return (File.executable?(name) ? name : nil) if absolute_path?(name)

        ENV['PATH'].to_s.split(File::PATH_SEPARATOR).map { |dir| File.join(dir, name) }.find { |file| File.file?(file) && File.executable?(file) }
      end

      def symbolizehash(hash)
        hash.transform_keys { |key| key.is_a?(String) ? key.to_sym : key }
      end

      def uri_encode(path, _options = nil)
        require 'uri'
        URI::DEFAULT_PARSER.escape(path)
      end

      def uri_query_encode(text)
        require 'cgi'
        CGI.escape(text).gsub('+', '%20')
      end

      def uri_unescape(text)
        require 'uri'
        URI::DEFAULT_PARSER.unescape(text)
      end

      def path_to_uri(path)
        require 'uri'
        URI::Generic.build(scheme: 'file', path: path)
      end

      def method_missing(name, *)
        PuppetRepl.unavailable("Puppet::Util.#{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end

    module Execution
      def self.execute(*, **)
        PuppetRepl.unavailable('Puppet::Util::Execution.execute')
      end
    end

    module Platform
      def self.windows?
        false
      end
    end

    module Yaml
      class YamlLoadError < Puppet::Error; end

      class << self
        def safe_load(text, allowed_classes = [], filename = nil)
          require 'yaml'
          YAML.safe_load(text, permitted_classes: allowed_classes, aliases: true, filename: filename) || false
        rescue ::Psych::DisallowedClass => e
          raise YamlLoadError, "#{place(filename)}: #{e.message}"
        rescue ::Psych::SyntaxError => e
          raise YamlLoadError, "#{place(filename)}: #{[e.problem, e.context].compact.join(' ')} at line #{e.line} column #{e.column}"
        end

        def safe_load_file(filename, allowed_classes = [])
          safe_load(File.read(filename, encoding: 'bom|utf-8'), allowed_classes, filename)
        end

        def safe_load_file_if_valid(filename, allowed_classes = [])
          safe_load_file(filename, allowed_classes)
        rescue YamlLoadError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve YAML content: #{e.message}")
          nil
        end

        def dump(structure, filename)
          File.write(filename, structure.to_yaml)
        end

        private

        def place(filename)
          "(#{filename || '<unknown>'})"
        end
      end
    end

    module Json
      class ParseError < StandardError
        attr_reader :cause, :data
      end

      class << self
        def load(text, options = {})
          JSON.parse(text, options.merge(quirks_mode: true))
        rescue JSON::ParserError => e
          raise ParseError, e.message
        end

        def load_file(filename, options = {})
          load(File.read(filename, encoding: 'utf-8'), options)
        end

        def load_file_if_valid(filename, options = {})
          load_file(filename, options)
        rescue ParseError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve JSON content: #{e.message}")
          nil
        end

        def dump(object, options = {})
          options[:pretty] ? JSON.pretty_generate(object) : JSON.generate(object)
        end
      end
    end

    module MethodHelper; end
    module Docs; end
    module Warnings; end

    def self.const_missing(name)
      PuppetRepl.constant_missing(self, name)
    end
  end
end

# The facts of the node.
module Facter
  class << self
    def value(name)
      PuppetRepl::Host.ask('fact', name: name.to_s)
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Fact.new(name.to_s, found)
    end

    def [](name)
      fact(name)
    end

    def to_hash
      PuppetRepl::Host.ask('facts')
    end

    def version
      '4.11.0'
    end

    def respond_to_missing?(*)
      false
    end

    def method_missing(name, *)
      PuppetRepl.unavailable("Facter.#{name}")
    end
  end

  Fact = Struct.new(:name, :value)
end

def _(text)
  text
end

def n_(one, many, count)
  count == 1 ? one : many
end
