# Puppet::Pops: types and the values that Ruby itself does not have.

module Puppet
  module Pops
    MAX_INTEGER = 0x7fffffffffffffff
    MIN_INTEGER = -0x8000000000000000

    module Types
      # A type. Its meaning is known to the interpreter, which is asked; here it has its text.
      class PAnyType
        attr_reader :text, :data

        def self.parse(text)
          PuppetRepl::Host.ask('parse_type', text: text)
        end

        def initialize(text = nil, data = {})
          @text = text || self.class.name[/P(\w+)Type\z/, 1]
          @data = data
        end

        def to_s
          @text
        end
        alias inspect to_s

        def name
          @data['name'] || @text[/\A[\w:]+/]
        end

        def simple_name
          self.class.name[/P(\w+)Type\z/, 1]
        end

        def instance?(value, _guard = nil)
          PuppetRepl::Host.ask('instance', type: to_host, value: PuppetRepl::Values.encode(value))
        end

        def assignable?(other, _guard = nil)
          PuppetRepl::Host.ask('assignable', type: to_host, other: other.to_host)
        end

        def generalize
          PuppetRepl::Host.ask('generalize', type: to_host)
        end

        def create(*arguments)
          PuppetRepl::Host.ask('construct', type: to_host, args: PuppetRepl::Values.encode(arguments))
        end

        def ==(other)
          other.is_a?(PAnyType) && other.text == text
        end
        alias eql? ==

        def hash
          @text.hash
        end

        def resolved_type
          @data.key?('resolved') ? PuppetRepl::Values.decode(@data['resolved']) : self
        end

        def to_host
          @data['h'] ? { '~' => 'type', 'h' => @data['h'] } : { '~' => 'type', 'v' => @text }
        end

        def method_missing(name, *arguments)
          return super unless arguments.empty? && !name.end_with?('=', '?', '!') && attributes.key?(name.to_s)

          attributes[name.to_s]
        end

        def respond_to_missing?(name, all = false)
          name.match?(/\A[a-z_]+\z/) && !name.start_with?('to_') ? attributes.key?(name.to_s) : super
        end

        # What the type is made of, by the names of Puppet's attributes.
        def attributes
          @attributes ||= PuppetRepl::Host.ask('type_attributes', type: to_host)
        end
      end

      @kinds = {}

      # Return the class of a kind of types: Integer -> PIntegerType.
      def self.kind(name)
        @kinds[name] ||= begin
          constant = "P#{name}Type"
          const_defined?(constant, false) ? const_get(constant, false) : const_set(constant, Class.new(PAnyType))
        end
      end

      def self.const_missing(name)
        word = name.to_s[/\AP([A-Z]\w*)Type\z/, 1]
        return kind(word) if word && KINDS.include?(word)

        PuppetRepl.constant_missing(self, name)
      end

      KINDS = %w[
        Abstract Array Binary Boolean Callable Catalog CatalogEntry Class Collection Data Default Enum Float
        Hash Init Integer Iterable Iterator NotUndef Numeric Object Optional Pattern Regexp Resource RichData
        Runtime Scalar ScalarData SemVer SemVerRange Sensitive String Struct Timespan Timestamp Tuple Type
        TypeAlias TypeReference TypeSet URI Undef Unit Variant
      ].freeze

      class PAnyType
        DEFAULT = new('Any')
      end

      PCatalogEntryType = Class.new(PAnyType)
      PResourceType = Class.new(PCatalogEntryType) do
        def type_name
          @data['type_name']
        end

        def title
          @data['title']
        end
      end
      PClassType = Class.new(PCatalogEntryType) do
        def class_name
          @data['class_name']
        end
      end
      PScalarType = Class.new(PAnyType)
      PNumericType = Class.new(PScalarType)
      PIntegerType = Class.new(PNumericType)
      PFloatType = Class.new(PNumericType)
      PStringType = Class.new(PScalarType)
      PEnumType = Class.new(PScalarType)
      PPatternType = Class.new(PScalarType)
      PBooleanType = Class.new(PScalarType)
      PRegexpType = Class.new(PScalarType)
      PUndefType = Class.new(PAnyType)
      PCollectionType = Class.new(PAnyType)
      PArrayType = Class.new(PCollectionType)
      PHashType = Class.new(PCollectionType)
      PTupleType = Class.new(PAnyType)
      PStructElement = ::Struct.new(:key_type, :value_type) do
        def name
          key = key_type.respond_to?(:type) ? key_type.type : key_type
          key.size_type_or_value
        end

        def optional?
          key_type.is_a?(POptionalType)
        end
      end
      PStructType = Class.new(PAnyType) do
        def elements
          attributes['elements'].map { |pair| PStructElement.new(*pair) }
        end

        def hashed_elements
          elements.to_h { |element| [element.name, element] }
        end
      end
      PTypeType = Class.new(PAnyType)
      PCallableType = Class.new(PAnyType)
      PObjectType = Class.new(PAnyType)
      PTypeAliasType = Class.new(PAnyType)
      PTypeReferenceType = Class.new(PAnyType)
      PSensitiveType = Class.new(PAnyType)
      PBinaryType = Class.new(PAnyType)
      PRuntimeType = Class.new(PAnyType)

      KINDS.each { |word| kind(word).const_set(:DEFAULT, kind(word).new(word)) }

      class PSensitiveType
        class Sensitive
          def initialize(value)
            @value = value.is_a?(Sensitive) ? value.unwrap : value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{self}>"
          end

          def hash
            @value.hash
          end

          def ==(other)
            other.is_a?(Sensitive) && other.hash == hash
          end
          alias eql? ==

          def to_host
            { '~' => 'sensitive', 'v' => PuppetRepl::Values.encode(@value) }
          end
        end
      end

      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def initialize(bytes)
            @binary_buffer = bytes.b.freeze
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def relaxed_to_s
            [@binary_buffer].pack('m')
          end

          def length
            @binary_buffer.length
          end

          def hash
            @binary_buffer.hash
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == binary_buffer
          end
          alias eql? ==

          def to_host
            { '~' => 'binary', 'v' => to_s }
          end
        end
      end

      # A value of the interpreter that Ruby has no equivalent of: an object, a lambda as a value.
      class PuppetObject
        attr_reader :handle

        def initialize(data)
          @handle = data['h']
          @text = data['s']
          @members = data['m'] || []
        end

        def to_s
          @text
        end

        def method_missing(name, *arguments)
          return super unless @members.include?(name.to_s)

          PuppetRepl::Host.ask('member', value: to_host, name: name.to_s, args: PuppetRepl::Values.encode(arguments))
        end

        def respond_to_missing?(name, all = false)
          @members.include?(name.to_s) || super
        end

        def _pcore_type
          PuppetRepl::Host.ask('infer', value: to_host)
        end

        def ==(other)
          other.is_a?(PuppetObject) && (other.handle == handle || PuppetRepl::Host.ask('equal', one: to_host, two: other.to_host))
        end

        def to_host
          { '~' => 'object', 'h' => @handle }
        end
      end

      # The lazy sequences of reverse_each, step and the like.
      class Iterator
        include Enumerable

        def initialize(handle)
          @handle = handle
        end

        def each(&block)
          return to_enum unless block

          PuppetRepl::Host.ask('elements', value: to_host).each(&block)
          self
        end

        def to_host
          { '~' => 'object', 'h' => @handle }
        end
      end
      Iterable = Iterator

      # Asks the interpreter about types.
      class TypeCalculator
        class << self
          def singleton
            @singleton ||= new
          end

          def infer(value)
            PuppetRepl::Host.ask('infer', value: PuppetRepl::Values.encode(value))
          end

          def infer_set(value)
            PuppetRepl::Host.ask('infer_set', value: PuppetRepl::Values.encode(value))
          end

          def instance?(type, value)
            type.instance?(value)
          end

          def assignable?(type, other)
            type.assignable?(other)
          end

          def generalize(type)
            type.generalize
          end
        end

        %i[infer infer_set instance? assignable? generalize].each do |name|
          define_method(name) { |*arguments| self.class.public_send(name, *arguments) }
        end

        def type(ruby_class)
          PAnyType.parse({ 'Integer' => 'Integer', 'Float' => 'Float', 'Numeric' => 'Numeric', 'String' => 'String',
                           'Symbol' => 'Runtime[ruby, Symbol]', 'Array' => 'Array', 'Hash' => 'Hash',
                           'Regexp' => 'Regexp', 'NilClass' => 'Undef' }.fetch(ruby_class.name, "Runtime[ruby, '#{ruby_class.name}']"))
        end
      end

      class TypeParser
        def self.singleton
          @singleton ||= new
        end

        def parse(text, _context = nil)
          PAnyType.parse(text)
        end
      end

      # Makes types from their parts, by their text.
      module TypeFactory
        class << self
          {
            integer: 'Integer', float: 'Float', numeric: 'Numeric', string: 'String', boolean: 'Boolean', undef: 'Undef',
            any: 'Any', data: 'Data', rich_data: 'RichData', scalar: 'Scalar', regexp: 'Regexp', collection: 'Collection',
            default: 'Default', binary: 'Binary', sensitive: 'Sensitive', type_type: 'Type',
            timestamp: 'Timestamp', timespan: 'Timespan', sem_ver: 'SemVer', array_of_any: 'Array', hash_of_any: 'Hash',
            array_of_data: 'Array[Data]', hash_of_data: 'Hash[String, Data]', catalog_entry: 'CatalogEntry', uri: 'URI'
          }.each do |name, text|
            define_method(name) { |*parts| PAnyType.parse(parts.empty? ? text : "#{text}[#{parts.map { |part| part_text(part) }.join(', ')}]") }
          end

          { optional: 'Optional', not_undef: 'NotUndef', variant: 'Variant', enum: 'Enum', array_of: 'Array', tuple: 'Tuple',
            type_type: 'Type', iterable: 'Iterable', iterator: 'Iterator' }.each do |name, text|
            define_method(name) do |*parts|
              parts = parts.flatten(1)
              PAnyType.parse(parts.empty? ? text : "#{text}[#{parts.map { |part| part_text(part) }.join(', ')}]")
            end
          end

          def hash_of(value, key = string)
            PAnyType.parse("Hash[#{part_text(key)}, #{part_text(value)}]")
          end

          def callable(*parts)
            PAnyType.parse("Callable[#{parts.empty? ? '0, 0' : parts.map { |part| part_text(part) }.join(', ')}]")
          end

          def hash_kv(key, value)
            hash_of(value, key)
          end

          def range(from, to)
            PAnyType.parse("Integer[#{part_text(from)}, #{part_text(to)}]")
          end

          def pattern(*patterns)
            PAnyType.parse("Pattern[#{patterns.map { |one| one.is_a?(Regexp) ? one.inspect : "/#{one}/" }.join(', ')}]")
          end

          def struct(members)
            PAnyType.parse("Struct[{#{members.map { |key, type| "#{part_text(key)} => #{part_text(type)}" }.join(', ')}}]")
          end

          def resource(type = nil, title = nil)
            return PAnyType.parse('Resource') unless type

            name = type.to_s.split('::').map(&:capitalize).join('::')
            PAnyType.parse(title ? "#{name}[#{part_text(title)}]" : name)
          end

          def host_class(name = nil)
            PAnyType.parse(name ? "Class[#{part_text(name)}]" : 'Class')
          end

          private

          def part_text(part)
            case part
            when nil then 'default'
            when :default then 'default'
            when String, Symbol then "'#{part.to_s.gsub(/[\\']/) { |sign| "\\#{sign}" }}'"
            else part.to_s
            end
          end
        end
      end

      # Raises the error about a value of the wrong type.
      module TypeAsserter
        def self.assert_instance_of(subject, type, value, nil_ok = false)
          return value if (value.nil? && nil_ok) || type.instance?(value)

          label = block_given? ? yield : subject
          PuppetRepl::Host.ask('reject', subject: label.to_s, type: type.to_host, value: PuppetRepl::Values.encode(value))
        end
      end

      module StringConverter
        def self.singleton
          self
        end

        def self.convert(value, format = :default)
          PuppetRepl::Host.ask('format', value: PuppetRepl::Values.encode(value), format: PuppetRepl::Values.encode(format))
        end
      end

      def self.define_class(name)
        const_get(name, false)
      end
    end

    module Time
      # Times and durations count nanoseconds.
      class TimeData
        include Comparable
        attr_reader :nsecs

        def initialize(nsecs)
          @nsecs = nsecs
        end

        def <=>(other)
          other.is_a?(self.class) ? nsecs <=> other.nsecs : to_f <=> other
        end

        def to_i
          nsecs / 1_000_000_000
        end

        def to_f
          nsecs / 1e9
        end

        def to_r
          Rational(nsecs, 1_000_000_000)
        end

        def hash
          nsecs.hash
        end

        def eql?(other)
          other.instance_of?(self.class) && other.nsecs == nsecs
        end

        def to_s
          PuppetRepl::Host.ask('text', value: to_host)
        end

        def format(*arguments)
          PuppetRepl::Host.ask('call_function', name: 'strftime', args: [to_host, *PuppetRepl::Values.encode(arguments)])
        end
      end

      class Timestamp < TimeData
        def self.from_time(time)
          new(time.to_i * 1_000_000_000 + time.nsec)
        end

        def self.now
          from_time(::Time.now)
        end

        def self.parse(text, formats = :default, timezone = nil)
          arguments = [text, formats == :default ? :default : formats, *timezone]
          PuppetRepl::Host.ask('construct', type: { '~' => 'type', 'v' => 'Timestamp' }, args: PuppetRepl::Values.encode(arguments))
        end

        def to_time
          ::Time.at(0, nsecs, :nsec).utc
        end

        def +(other)
          self.class.new(nsecs + (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def -(other)
          case other
          when Timestamp then Timespan.new(nsecs - other.nsecs)
          when Timespan then self.class.new(nsecs - other.nsecs)
          else self.class.new(nsecs - (other * 1_000_000_000).to_i)
          end
        end

        def to_host
          { '~' => 'timestamp', 'v' => nsecs }
        end
      end

      class Timespan < TimeData
        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          total = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
          total = (total * 1000 + microseconds) * 1000 + nanoseconds
          new(negative ? -total : total)
        end

        def self.from_fields_hash(fields)
          PuppetRepl::Host.ask('construct', type: { '~' => 'type', 'v' => 'Timespan' }, args: PuppetRepl::Values.encode([fields.transform_keys(&:to_s)]))
        end

        def +(other)
          self.class.new(nsecs + (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def -(other)
          self.class.new(nsecs - (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def to_host
          { '~' => 'timespan', 'v' => nsecs }
        end
      end
    end

    module Evaluator
      # Carries next() and return() of Puppet code through Ruby code.
      class Jumper < StandardError
        attr_reader :value
      end

      class Next < Jumper; end
      class Return < Jumper; end
      class PuppetStopIteration < StopIteration; end

      # A lambda of Puppet code, as a block.
      class PuppetProc < Proc
        attr_accessor :handle, :names

        def self.made(handle, parameters, frames)
          block = new { |*arguments| PuppetRepl::Host.ask('yield', block: handle, args: PuppetRepl::Values.encode(arguments)) }
          block.handle = handle
          block.names = parameters.map { |kind, name| [kind.to_sym, name.to_sym] }
          frames << handle if frames
          block
        end

        def lambda?
          false
        end

        def parameters
          names
        end

        def arity
          required = names.take_while { |kind, _| kind == :req }.size
          required == names.size ? required : -required - 1
        end

        def closure
          self
        end

        def parameter_names
          names.map { |_, name| name.to_s }
        end
      end
    end

    # Puppet's stack of calls.
    module PuppetStack
      def self.stacktrace
        PuppetRepl::Host.ask('stacktrace')
      end

      def self.top_of_stack
        stacktrace.first || []
      end

      def self.stack(file, line, receiver, message, arguments, &block)
        receiver.send(message, *arguments, &block)
      end
    end

    module Lookup; end
    module Loaders; end

    module Adapters; end
    module Parser; end

    def self.const_missing(name)
      PuppetRepl.constant_missing(self, name)
    end
  end
end

# Semantic versions; their rules are the interpreter's.
module SemanticPuppet
  class Version
    include Comparable
    PATTERN = /\A(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/.freeze
    attr_reader :major, :minor, :patch, :prerelease, :build

    class ValidationFailure < ArgumentError; end

    def self.parse(text)
      parts = PATTERN.match(text) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      new(parts[1].to_i, parts[2].to_i, parts[3].to_i, parts[4], parts[5])
    end

    def self.valid?(text)
      PATTERN.match?(text)
    end

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major = major
      @minor = minor
      @patch = patch
      @prerelease = prerelease.is_a?(Array) ? prerelease.join('.') : prerelease
      @build = build.is_a?(Array) ? build.join('.') : build
    end

    def <=>(other)
      PuppetRepl::Host.ask('compare', one: to_host, two: other.to_host) if other.is_a?(Version)
    end

    def to_s
      "#{major}.#{minor}.#{patch}#{"-#{prerelease}" if prerelease}#{"+#{build}" if build}"
    end

    def inspect
      to_s
    end

    def stable?
      prerelease.nil?
    end

    def hash
      to_s.hash
    end

    def eql?(other)
      other.is_a?(Version) && other.to_s == to_s
    end

    def next(part)
      case part
      when :major then self.class.new(major.next, 0, 0)
      when :minor then self.class.new(major, minor.next, 0)
      when :patch then self.class.new(major, minor, patch.next)
      end
    end

    def to_host
      { '~' => 'semver', 'v' => to_s }
    end
  end

  class VersionRange
    def self.parse(text, _strict = false)
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def include?(version)
      version = Version.parse(version) if version.is_a?(String)
      PuppetRepl::Host.ask('includes', range: to_host, value: version.to_host)
    end
    alias === include?
    alias member? include?
    alias cover? include?

    def to_s
      @text
    end
    alias inspect to_s

    def hash
      @text.hash
    end

    def ==(other)
      other.is_a?(VersionRange) && other.to_s == to_s
    end
    alias eql? ==

    def to_host
      { '~' => 'semverrange', 'v' => @text }
    end
  end
end

# Classes of our own for values of the interpreter, by the names of their classes in Puppet.
PuppetRepl::Values::OBJECT_CLASSES = {} # rubocop:disable Style/MutableConstant
PuppetRepl::Values::DECODERS.merge!(
  'sensitive' => ->(data) { Puppet::Pops::Types::PSensitiveType::Sensitive.new(PuppetRepl::Values.decode(data['v'])) },
  'binary' => ->(data) { Puppet::Pops::Types::PBinaryType::Binary.from_base64(data['v']) },
  'timestamp' => ->(data) { Puppet::Pops::Time::Timestamp.new(data['v']) },
  'timespan' => ->(data) { Puppet::Pops::Time::Timespan.new(data['v']) },
  'semver' => ->(data) { SemanticPuppet::Version.parse(data['v']) },
  'semverrange' => ->(data) { SemanticPuppet::VersionRange.parse(data['v']) },
  'uri' => lambda do |data|
    require 'uri'
    URI.parse(data['v'])
  end,
  'type' => lambda do |data|
    type = Puppet::Pops::Types.kind(data['k']).new(data['v'], data)
    data['h'] ? PuppetRepl::Values.watch(type, data['h']) : type
  end,
  'iterator' => ->(data) { PuppetRepl::Values.watch(Puppet::Pops::Types::Iterator.new(data['h']), data['h']) },
  'closure' => ->(data) { PuppetRepl::Values.watch(Puppet::Pops::Evaluator::PuppetProc.made(data['h'], data['p'], nil), data['h']) },
  'object' => lambda do |data|
    kind = PuppetRepl::Values::OBJECT_CLASSES.fetch(data['c'], Puppet::Pops::Types::PuppetObject)
    PuppetRepl::Values.watch(kind.new(data), data['h'])
  end,
  'scope' => ->(data) { Puppet::Parser::Scope.at(data['v']) },
  'resource' => ->(data) { Puppet::Resource.from_host(data) }
)
