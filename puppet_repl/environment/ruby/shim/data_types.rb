# Data types that modules create in Ruby: Puppet::DataTypes.create_type, and the classes of instances.
#
# The interpreter reads the interface, checks arguments and calls methods; here are the objects.

module Puppet
  module DataTypes
    def self.create_type(name, &block)
      PuppetRepl::DataTypes::Declaration.new(name.to_s).read(&block)
    rescue StandardError => e
      raise ArgumentError, "Data Type Load Error for type '#{name}': #{e.message}", e.backtrace
    end
  end

  module Pops
    module Loader
      # The code of a file is evaluated inside of it: constants that it defines belong to it.
      class RubyDataTypeInstantiator; end
    end

    module Serialization
      SerializationError = Class.new(Puppet::Error) unless const_defined?(:SerializationError, false)
    end
  end
end

# Opened by its full name: the code must not see the constants of the modules around it.
class Puppet::Pops::Loader::RubyDataTypeInstantiator
  def self.evaluate(code, path)
    eval(code, binding, path, 1) # rubocop:disable Security/Eval
  end
end

module PuppetRepl
  module DataTypes
    # What a file declares. The block of create_type is evaluated in Methods.
    class Declaration
      attr_reader :name, :interface, :implementation, :implementation_class

      # The methods of the block.
      class Methods
        def initialize(declaration)
          @declaration = declaration
          freeze
        end

        def interface(text)
          @declaration.set(:interface, 'interface', text)
        end

        def implementation(&block)
          @declaration.set(:implementation, 'implementation', block)
        end

        def implementation_class(ruby_class)
          @declaration.set(:implementation_class, 'implementation', ruby_class)
        end

        def load_file(name)
          file = PuppetRepl.library_file(name)
          file ? require(file) : false
        end
      end

      def initialize(name)
        @name = name
        @given = []
      end

      def read(&block)
        Methods.new(self).instance_eval(&block)
        raise ArgumentError, 'a data type must have an interface' unless interface.is_a?(String)

        self
      end

      def set(what, kind, value)
        raise ArgumentError, "a data type can only have one #{kind}" if @given.include?(kind)

        @given << kind unless value.nil?
        instance_variable_set("@#{what}", value)
      end
    end

    # What all classes of data types have, those of modules too.
    module Instance
      def to_host
        number = DataTypes.number_of(self.class)
        number ? { '~' => 'data_object', 'n' => number, 'v' => Values.keep(self), 'i' => object_id } : Values.opaque(self)
      end
    end

    @declarations = {} # by file
    @classes = {}      # by the number that the interpreter gives to a type
    @numbers = {}.compare_by_identity

    class << self
      attr_reader :classes

      def clear
        @classes.clear
        @numbers.clear
      end

      # Return what a file declares, evaluated once.
      def declaration(path)
        @declarations[path] ||= begin
          PuppetRepl.loaded(path)
          made = Puppet::Pops::Loader::RubyDataTypeInstantiator.evaluate(File.read(path, encoding: 'bom|utf-8'), path)
          unless made.is_a?(Declaration)
            raise ArgumentError, "The code loaded from #{path} did not produce a data type when evaluated. Got '#{made.class}'"
          end
          made
        end
      end

      # Make the classes of a type and of those that it inherits from; say what the last one is like.
      def define(types)
        made = types.reduce(nil) { |parent, type| @classes[type['number']] ||= registered(type, class_of(type, parent)) }
        type = types.last
        { 'names' => parameter_names(made, type), 'from_hash' => made.respond_to?(:from_asserted_hash),
          'equality' => equality(made), 'has_text' => text?(made) }
      end

      def number_of(ruby_class)
        @numbers[ruby_class]
      end

      def create(number, arguments, by_hash)
        made = @classes.fetch(number)
        return made.from_asserted_hash(arguments[0]) if by_hash

        made.respond_to?(:from_asserted_args) ? made.from_asserted_args(*arguments) : made.new(*arguments)
      end

      # Return the values of the attributes that a constructor takes.
      def values(object)
        return object._pcore_values if object.respond_to?(:_pcore_values)

        object.class.instance_method(:initialize).parameters.to_h do |_, name|
          plain = Generator.unprotect(name.to_s)
          [plain, object.send(name)]
        end
      end

      private

      def class_of(type, parent)
        declared = type['path'] && declaration(type['path'])
        return declared.implementation_class if declared&.implementation_class

        made = Generator.new(type, parent).make
        made.class_eval(&declared.implementation) if declared&.implementation
        made
      end

      def registered(type, made)
        @numbers[made] = type['number']
        reference = Values.decode(type['type'])
        made.define_singleton_method(:_pcore_type) { reference }
        made.include(Instance)
        made
      end

      def equality(made)
        owner = made.instance_method(:==).owner
        return 'identity' if [BasicObject, Object, Kernel].include?(owner)

        owner.method_defined?(:_pcore_values) && owner.instance_method(:==).original_name == :eql? ? 'attributes' : 'ruby'
      end

      def text?(made)
        ![Kernel, Puppet::Pops::Types::PuppetObject].include?(made.instance_method(:to_s).owner)
      end

      # Return the names of the parameters where they are in an order of their own.
      def parameter_names(made, type)
        wanted = type['given'].map { |name,| name }
        creator = made.respond_to?(:from_asserted_args) ? made.method(:from_asserted_args) : made.instance_method(:initialize)
        parameters = creator.parameters
        names = parameters.map { |_, name| wanted.include?(name.to_s) ? name.to_s : Generator.unprotect(name.to_s) }
        return nil if names == wanted

        if names.size < wanted.size || parameters.count { |kind,| kind == :req } > wanted.size
          refuse("Initializer for class #{made.name} does not match the attributes of #{type['name']}")
        end
        names = names.first(wanted.size)
        unknown = names.find { |name| !wanted.include?(name) }
        if unknown
          refuse("Initializer for class #{made.name} parameter '#{unknown}' does not match any of the attributes of type #{type['name']}")
        end
        names
      end

      def refuse(message)
        raise Puppet::Pops::Serialization::SerializationError, message
      end
    end

    # Makes the class that a type has without one of its own.
    class Generator
      # What Puppet puts an underscore before, because Ruby has another meaning for it.
      RESERVED = %w[
        alias begin break def do end ensure for module next nil not redo rescue retry return self super
        then until when while yield
      ].freeze

      def self.protect(name)
        RESERVED.include?(name) ? "_#{name}" : name
      end

      def self.unprotect(name)
        name.start_with?('_') && RESERVED.include?(name[1..]) ? name[1..] : name
      end

      # 'given' has [name, own?, has a value, value] for what a constructor takes.
      def initialize(type, parent)
        @type = type
        @given = type['given'].map { |name, own, optional, value| [name, own, optional, Values.decode(value)] }
        @made = Class.new(parent || Object)
        @made.include(Puppet::Pops::Types::PuppetObject) unless parent
      end

      def make
        add_constants
        add_readers
        add_constructor
        add_equality
        @type['functions'].each { |name| add_missing(name, "function #{@type['name']}[#{name}]") }
        @type['methods'].each { |name, parameters, body| @made.class_eval("def #{protect(name)}(#{parameters})\n#{body}\nend") }
        @made
      end

      private

      def protect(name)
        Generator.protect(name)
      end

      def add_constants
        @type['constants'].each do |name, encoded|
          value = Values.decode(encoded)
          @made.define_singleton_method(protect(name)) { value }
          @made.define_method(protect(name)) { value }
        end
      end

      def add_readers
        @given.each { |name, own| @made.attr_reader(protect(name)) if own }
        @type['derived'].each { |name| add_missing(name, "derived attribute #{@type['name']}[#{name}]") }
      end

      def add_missing(name, label)
        @made.define_method(protect(name)) { |*_| raise Puppet::Error, "no method is implemented for #{label}" }
      end

      # Text, so that "super" and the names of parameters are those of a method that was written.
      def add_constructor
        defaults = @given.select { |_, _, optional| optional }.to_h { |name, _, _, value| [name, value] }
        @made.define_singleton_method(:_pcore_default) { |name| defaults[name] }
        parameters = @given.map { |name, _, optional| protect(name) + (optional ? " = self.class._pcore_default(#{name.inspect})" : '') }
        inherited, own = @given.partition { |_, is_own| !is_own }
        body = own.map { |name,| "@#{protect(name)} = #{protect(name)}" }
        body.unshift("super(#{inherited.map { |name,| protect(name) }.join(', ')})") if @made.superclass != Object
        @made.class_eval("def initialize(#{parameters.join(', ')})\n#{body.join("\n")}\nend")
        given = @given
        @made.define_singleton_method(:from_asserted_hash) do |hash|
          new(*given.map { |name, _, optional, value| optional ? hash.fetch(name, value) : hash[name] })
        end
        @made.define_method(:_pcore_values) do
          given.to_h { |name,| [name, instance_variable_get("@#{Generator.protect(name)}")] }
        end
        @made.define_method(:_pcore_init_hash) do
          _pcore_values.reject { |name, value| defaults.key?(name) && defaults[name] == value }
        end
      end

      def add_equality
        names = @type['equality'].map { |name| "@#{protect(name)}".to_sym }
        counts = @type['equality_counts_type']
        inherits = @made.superclass != Object
        @made.define_method(:eql?) do |other|
          (!inherits || super(other)) && (!counts || other.instance_of?(self.class)) &&
            names.all? { |name| instance_variable_get(name).eql?(other.instance_variable_get(name)) }
        end
        @made.alias_method(:==, :eql?)
        @made.define_method(:hash) { (inherits ? super() : self.class.hash) ^ names.map { |name| instance_variable_get(name) }.hash }
      end
    end
  end

  on('data_type') do |request|
    declared = DataTypes.declaration(request['path'])
    has = !(declared.implementation || declared.implementation_class).nil?
    [declared.name, declared.interface, has]
  end
  on('data_class') { |request| DataTypes.define(request['types']) }
  on('data_new') do |request|
    arguments = Values.freeze_strings(Values.decode(request['a']))
    DataTypes.create(request['n'], arguments, request['by_hash'])
  end
  on('data_call') do |request|
    block = request['b'] && Values.decode(request['b'])
    Values.kept(request['v']).send(DataTypes::Generator.protect(request['name']), *Values.decode(request['a']), &block)
  end
  on('data_values') { |request| DataTypes.values(Values.kept(request['v'])) }
  on('data_text') { |request| Values.kept(request['v']).to_s }
  on('data_equal') { |request| Values.kept(request['v']) == Values.decode(request['other']) }
  on('data_hash') { |request| Values.kept(request['v']).hash.to_s }
  on_begin { DataTypes.clear }
end
