# Resource types as modules define them: what their attributes are called, which of them name a
# resource, and what a title means. Nothing of what a type does to a machine is kept: providers are
# accepted and ignored. What checks values runs in order.rb.

module Puppet
  # What parameters and properties have in common: how a definition describes them.
  class Parameter
    class << self
      attr_accessor :name, :required_features
      attr_writer :doc, :metaparam, :patterns, :symbols

      def inherited(child)
        super
        child.symbols = symbols.dup
        child.patterns = patterns.dup
      end

      def doc
        @doc || (superclass.respond_to?(:doc) ? superclass.doc : nil)
      end

      def desc(text)
        @doc = text
      end

      def isnamevar
        @isnamevar = true
      end

      def isnamevar?
        @isnamevar ? true : false
      end

      def isrequired
        @required = true
      end

      def required?
        @required ? true : false
      end

      def metaparam?
        @metaparam ? true : false
      end

      # What a listed value becomes, by its text.
      def symbols
        @symbols ||= {}
      end

      # The patterns of other values.
      def patterns
        @patterns ||= []
      end

      def newvalues(*names)
        names.each { |name| name.is_a?(Regexp) ? patterns << name : symbols[name.to_s] = name.to_s.to_sym }
      end

      def newvalue(name, *)
        newvalues(name)
      end

      def aliasvalue(name, other)
        symbols[name.to_s] = other.to_sym
      end

      def defaultto(value = nil, &block)
        define_method(:default, &(block || proc { value }))
      end

      def nodefault
        undef_method(:default) if method_defined?(:default)
      end

      def munge(&block)
        define_method(:unsafe_munge, &block)
      end

      def unmunge(&block)
        define_method(:unsafe_unmunge, &block)
      end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      # The blocks that a definition gives to these run on an agent.
      %i[sensitive proxymethods attr_prefix provider_method].each do |name|
        define_method(name) { |*_words, &_block| nil }
      end
    end
  end

  class Property < Parameter
    class << self
      attr_accessor :array_matching, :unmanaged

      def array_matching?
        array_matching == :all
      end
    end

    # The property whether a resource is there.
    class Ensure < Property
      @name = :ensure
      def self.defaultvalues
        newvalues(:present, :absent)
      end
      defaultto { :present if @resource.managed? }
    end

    %i[Boolean List OrderedList KeyValue].each { |name| const_set(name, Class.new(Property)) }
  end

  class Parameter
    %i[Boolean Path PackageOptions].each { |name| const_set(name, Class.new(Parameter)) }
    Boolean.newvalues(true, false, :yes, :no)

    class Path
      def self.accept_arrays(*); end
    end
  end

  module CompilableResourceType; end

  # The base of all resource types; a type is a class that derives from it.
  class Type
    METAPARAMETERS = %i[
      alias audit before loglevel noop notify require schedule stage subscribe tag
    ].freeze

    class << self
      attr_accessor :name
      attr_writer :doc

      # Definition of types

      def newtype(name, _options = {}, &block)
        type = Class.new(self)
        type.name = name.to_s.downcase.to_sym
        constant = type.name.to_s.capitalize
        Type.send(:remove_const, constant) if Type.const_defined?(constant, false)
        Type.const_set(constant, type) if constant.match?(/\A[A-Z]\w*\z/)
        type.ensure_tables
        type.class_eval(&block) if block
        ::PuppetRepl::Types.known[type.name] = type
      end

      def rmtype(name)
        ::PuppetRepl::Types.known.delete(name.to_s.downcase.to_sym)
      end

      # Return a type by name, loaded from its module where it is not known.
      def type(name)
        ::PuppetRepl::Types.find(name.to_s.downcase.to_sym)
      end

      def eachtype(&block)
        ::PuppetRepl::Types.known.each_value(&block)
      end

      def inherited(child)
        super
        child.ensure_tables
      end

      def ensure_tables
        @parameters ||= []
        @properties ||= []
      end

      def desc(text)
        @doc = text
      end

      def doc
        @doc
      end

      # Attributes

      def newparam(name, options = {}, &block)
        add(@parameters, name, options, Parameter, &block)
      end

      def newproperty(name, options = {}, &block)
        property = add(@properties, name, options, Property) do
          self.array_matching = options[:array_matching]
        end
        property.class_eval(&block) if block
        property
      end

      def newmetaparam(name, options = {}, &block)
        parameter = attribute(name, options, Parameter, &block)
        parameter.metaparam = true
        ::PuppetRepl::Types.metaparameters[parameter.name] = parameter
      end

      def ensurable(&block)
        block ||= proc { defaultvalues }
        newproperty(:ensure, parent: Property::Ensure, &block)
      end

      def properties
        @properties.dup
      end

      def parameters
        @parameters.map(&:name)
      end

      def parameter_classes
        @parameters.dup
      end

      def validproperties
        @properties.map(&:name)
      end

      def metaparams
        METAPARAMETERS + ::PuppetRepl::Types.metaparameters.keys
      end

      def key_attribute_parameters
        @parameters.select { |parameter| parameter.isnamevar? || parameter.name == :name }
      end

      def key_attributes
        key_attribute_parameters.map(&:name)
      end

      def attrclass(name)
        (@parameters + @properties).find { |attribute| attribute.name == name.to_sym } || ::PuppetRepl::Types.metaparameters[name.to_sym]
      end
      alias paramclass attrclass
      alias propertybyname attrclass

      def allattrs
        key_attributes | validproperties | parameters | metaparams
      end

      def validattr?(name)
        allattrs.include?(name.to_sym)
      end
      alias valid_parameter? validattr?

      def validproperty?(name)
        validproperties.include?(name.to_sym)
      end

      def validparameter?(name)
        parameters.include?(name.to_sym) || metaparams.include?(name.to_sym)
      end

      def attrtype(name)
        return :property if validproperties.include?(name)

        metaparams.include?(name) ? :meta : :param
      end

      # Names

      def isomorphic?
        defined?(@isomorphic) ? @isomorphic : true
      end

      def title_patterns
        case key_attributes.length
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else
          raise DevError, 'you must specify title patterns when there are two or more key attributes'
        end
      end

      # What a definition says of providers concerns an agent.

      def provide(name, _options = {}, &_block)
        ::PuppetRepl::Types.with_provider << self.name
        Class.new(Provider).tap { |provider| provider.name = name }
      end

      %i[
        feature apply_to_all apply_to_device apply_to_host hide_doc suitable?
        providers_by_source unprovide has_feature
      ].each do |name|
        define_method(name) { |*_words, &_block| nil }
      end

      def validate(&block)
        define_method(:validate, &block)
      end

      # Tell whether the type says which resources an agent refuses.
      def checks?
        return true if method_defined?(:validate)

        (@parameters + @properties).any? do |each|
          !each.symbols.empty? || !each.patterns.empty? || %i[unsafe_validate unsafe_munge].any? { |name| each.method_defined?(name) }
        end
      end

      # The blocks that say what an agent applies before or after a resource, by the kind of the
      # relationship and the type of the others. They run in order.rb.
      def implied
        @implied ||= { 'require' => {}, 'subscribe' => {}, 'before' => {}, 'notify' => {} }
      end

      %w[require subscribe before notify].each do |kind|
        define_method("auto#{kind}") { |type, &block| implied[kind][type.to_s.downcase.to_sym] = block }
      end

      def provider(_name)
        nil
      end

      def providers
        []
      end
      alias suitableprovider providers

      def const_missing(name)
        plain = ::PuppetRepl::Types.underscored(name)
        return attrclass(plain) || ::PuppetRepl::Types.foreign(name) unless equal?(Type)

        ::PuppetRepl::Types.find(plain)
        const_defined?(name, false) ? const_get(name, false) : ::PuppetRepl::Types.foreign(name)
      end

      private

      def add(list, name, options, parent, &block)
        made = attribute(name, options, parent, &block)
        list.reject! { |other| other.name == made.name }
        list << made
        made
      end

      def attribute(name, options, parent, &block)
        symbol = name.to_s.to_sym
        made = Class.new(options[:parent] || parent)
        made.name = symbol
        constant = "#{parent == Property ? 'Property' : 'Parameter'}#{symbol.to_s.capitalize}"
        const_set(constant, made) if constant.match?(/\A\w+\z/) && !const_defined?(constant, false)
        made.isnamevar if options[:namevar]
        made.required_features = options[:required_features] if options[:required_features]
        made.class_eval(&block) if block
        made
      end
    end

    ensure_tables
  end

  # Providers do their work on an agent, and what is of use to them is there.
  module Util
    module SELinux; end
  end

  class Provider
    class << self
      attr_accessor :name

      %i[
        commands optional_commands has_feature has_features defaultfor notdefaultfor confine mk_resource_methods desc
        initvars
      ].each do |method|
        define_method(method) { |*_words, &_block| nil }
      end
    end

    def self.const_missing(name)
      const_set(name, Class.new(Provider))
    end
  end

  class Type
    Component = Class.new(Type)
    Component.name = :component
  end
end

module PuppetRepl
  # The types of a session, by name.
  module Types
    @made = []
    @loaded = {}

    class << self
      def known
        @known ||= {}
      end

      def of_module?(name)
        !@made.include?(name)
      end

      # Forget the types that the interpreter knew: another session has others.
      def forget_made
        @made.each { |name| known.delete(name) }
        @made.clear
      end

      def metaparameters
        @metaparameters ||= {}
      end

      def with_provider
        @with_provider ||= []
      end

      # Return a type: known, from the file of a module, or made from what the interpreter knows.
      def find(name)
        return known[name] if known.key?(name)

        data = Host.ask('type_source', name: name.to_s)
        if data.nil? then nil
        elsif data['path'] then load(name, data['path'])
        else
          @made << name
          known[name] = from(name, data)
        end
      end

      # Evaluate the file of a type, unless that was done; return the type, nil where the file
      # does not define it.
      def load(name, path)
        unless @loaded[path]
          PuppetRepl.loaded(path)
          known.delete(name)
          Kernel.load(path)
          @loaded[path] = true
        end
        known[name]
      end

      def underscored(constant)
        constant.to_s.gsub(/([a-z\d])([A-Z])/, '\1_\2').downcase.to_sym
      end

      # A constant of Puppet::Type that is no type: only agents have a use for it.
      def foreign(name)
        PuppetRepl.unavailable("Puppet::Type::#{name}")
      end

      # Describe a type for the interpreter.
      def describe(type)
        {
          'name' => type.name.to_s, 'doc' => text(type.doc), 'isomorphic' => type.isomorphic? ? true : false,
          'has_provider' => with_provider.include?(type.name),
          'applied' => type.checks? || type.implied.values.any?(&:any?),
          'namevars' => type.key_attributes.map(&:to_s),
          'properties' => type.properties.map { |property| attribute(property) },
          'parameters' => type.parameter_classes.map { |parameter| attribute(parameter) },
          'metaparameters' => metaparameters.keys.map(&:to_s)
        }.merge(titles(type))
      end

      # Return what a title gives values to, by the code of the type itself.
      def parse(name, title)
        find(name.to_sym).title_patterns.each do |pattern, attributes|
          match = pattern.match(title) or next

          values = {}
          attributes.zip(match.captures) do |(attribute, convert), capture|
            values[attribute.to_s] = convert ? convert.call(capture) : capture
          end
          return values
        end
        raise Puppet::Error, "No set of title patterns matched the title \"#{title}\"."
      end

      private

      def attribute(attribute)
        { 'name' => attribute.name.to_s, 'doc' => text(attribute.doc), 'values' => attribute.symbols.keys,
          'namevar' => attribute.isnamevar? }
      end

      def text(value)
        value.nil? ? nil : Values.readable(value.to_s)
      end

      # The title patterns as data where that says all, else a request to ask for each title.
      def titles(type)
        patterns = type.title_patterns
        return { 'patterns' => nil, 'asks' => true } unless patterns.all? { |_, attributes| attributes.all? { |_, convert| same?(convert) } }

        { 'patterns' => patterns.map { |pattern, attributes| [pattern.source, pattern.options & 7, attributes.map { |name, _| name.to_s }] } }
      rescue Puppet::DevError => e
        { 'patterns' => nil, 'problem' => e.basic_text }
      end

      # Tell whether a function returns its argument, by what it is compiled to.
      def same?(function)
        return true if function.nil?
        return false unless function.is_a?(Proc) && function.arity == 1

        code = RubyVM::InstructionSequence.of(function).to_a.last.select { |step| step.is_a?(Array) }
        code.map(&:first) == %i[getlocal_WC_0 leave]
      end

      def from(name, data)
        type = Class.new(Puppet::Type)
        type.name = name
        constant = name.to_s.capitalize
        Puppet::Type.const_set(constant, type) unless Puppet::Type.const_defined?(constant, false)
        data['properties'].each { |each| type.newproperty(each) }
        data['parameters'].each { |each| type.newparam(each) { isnamevar if data['namevars'].include?(each) } }
        type
      end
    end
  end

  on_begin { Types.forget_made }

  # What keeps a file from being evaluated is Puppet's error too ("refused"), or one of this shim
  # alone, which lacks something ("failed").
  on('resource_type') do |request|
    type = Types.load(request['name'].to_sym, request['path'])
    type && Types.describe(type)
  rescue ::SyntaxError, RuntimeError, KeyError => e
    { (e.is_a?(Unavailable) ? 'failed' : 'refused') => Errors.describe(e)['m'] }
  rescue StandardError, ::ScriptError => e
    { 'failed' => Errors.describe(e)['m'] }
  end
  on('parse_title') do |request|
    Types.load(request['type'].to_sym, request['path'])
    Types.parse(request['type'], request['title'])
  end
end
