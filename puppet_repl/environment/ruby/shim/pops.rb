# Puppet::Pops: types, lambdas and the stack of calls.

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
