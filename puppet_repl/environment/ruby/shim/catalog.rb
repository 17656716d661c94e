# The catalog of the session: resources, classes and defines.

module Puppet
  module Util
    # The tags of a catalog.
    class TagSet < Set; end
  end

  # A resource of the catalog, or a reference to one.
  class Resource
    attr_reader :type, :title, :file, :line

    # Return the object for {"type", "title", "v" number, "tags", ...}.
    def self.from_host(data)
      made = (data['v'] ? Parser::Resource : Resource).allocate
      made.send(:fill, data)
      made
    end

    # Return the names in a reference, or in a type and a title, as catalogs have them.
    def self.type_and_title(type, title)
      reference = [nil, :component, :whit].include?(type) ? title : type
      parts = reference.match(/^([^\[\]]+)\[(.+)\]$/m) if reference.is_a?(String) && !(type && title)
      type, title = parts.captures if parts
      raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference" unless title

      type = capitalized(type)
      title = title == '' ? :main : capitalized(title) if type == 'Class'
      [type, title]
    end

    def self.capitalized(name)
      return :main if name == :main

      name = name.to_s
      return 'Class' if ['', 'component'].include?(name.downcase)

      # Without a namespace the other letters stay as they are.
      name.include?('::') ? name.split('::').map(&:capitalize).join('::') : name[0].upcase + name[1..]
    end
    private_class_method :capitalized

    def initialize(type, title = nil, attributes = {})
      type, title = Resource.type_and_title(type, title)
      tag = type.to_s.downcase
      raise Puppet::ParseError, "Invalid tag '#{tag}'" unless tag.match?(/\A[[:alnum:]_][[:alnum:]_:.-]*\Z/)

      fill('type' => type, 'title' => title.to_s)
      @namevar = PuppetRepl::Host.ask('namevar', type: @type)
      @parameters = (attributes[:parameters] || {}).transform_keys(&:to_sym)
    end

    def ref
      "#{type}[#{title}]"
    end
    alias to_s ref

    def inspect
      shown = { (@namevar || 'name').to_sym => title }
      "#{ref}#{shown.merge(@number ? {} : @parameters).inspect}"
    end

    def name
      @title
    end

    def [](name)
      key = name.to_sym
      return title if key == :title || (key == @namevar&.to_sym && !parameters.key?(key))

      values[key]
    end

    def []=(name, value)
      @parameters[name.to_sym] = value
    end

    def set_parameter(name, value = nil)
      self[name] = value
    end

    def to_hash
      @namevar ? { @namevar.to_sym => title }.merge(values.compact) : values.compact
    end
    alias to_h to_hash

    attr_reader :parameters

    %i[keys length empty? delete each].each do |name|
      define_method(name) { |*arguments, &block| parameters.send(name, *arguments, &block) }
    end
    include Enumerable

    def key?(name)
      parameters.key?(name.to_sym)
    end
    alias has_key? key?

    def tags
      PuppetRepl::Host.ask('resource_tags', resource: to_host)
    end

    def tagged?(*names)
      (names.map(&:to_s) & tags).any?
    end

    def class?
      type == 'Class'
    end

    def virtual
      @virtual
    end
    alias virtual? virtual

    def exported
      @exported
    end
    alias exported? exported

    def resource_type
      data = PuppetRepl::Host.ask('definition', kind: class? ? 'class' : 'define', name: class? ? title : type)
      data && Type.new(data)
    end

    def scope
      number = PuppetRepl::Host.ask('resource_scope', resource: to_host)
      number && Puppet::Parser::Scope.at(number)
    end

    def ==(other)
      other.is_a?(Resource) && other.ref == ref && other.to_hash == to_hash
    end

    def to_host
      { '~' => 'resource', 'type' => type, 'title' => title, 'v' => @number }
    end

    private

    # The values of the parameters by name.
    def values
      parameters
    end

    def fill(data)
      @type = data['type']
      @title = data['title']
      @number = data['v']
      @namevar = data['namevar']
      @file = data['file']
      @line = data['line']
      @virtual = data['virtual'] || false
      @exported = data['exported'] || false
      @parameters = @number ? nil : {}
    end

    # A class or define.
    class Type
      attr_reader :name, :type, :module_name, :file, :line, :arguments

      def initialize(data)
        @name = data['name']
        @type = data['kind'].to_sym
        @module_name = data['module']
        @file = data['file']
        @line = data['line']
        @arguments = data['arguments'] || {}
      end

      def to_s
        "#{type} #{name}"
      end
    end

    # The classes and defines that are known, or can be loaded.
    class TypeCollection
      def self.current
        @current ||= new
      end

      def hostclass(name)
        find('class', name)
      end
      alias find_hostclass hostclass

      def definition(name)
        find('define', name)
      end
      alias find_definition definition

      private

      def find(kind, name)
        data = PuppetRepl::Host.ask('definition', kind: kind, name: name.to_s)
        data && Type.new(data)
      end
    end

    # The catalog of the session.
    class Catalog
      def self.current
        @current ||= new
      end

      def resources
        PuppetRepl::Host.ask('resources').map { |data| Resource.from_host(data) }
      end

      def resource(type, title = nil)
        type = type.to_s
        if title.nil? && (parts = type.match(/\A([^\[\]]+)\[(.+)\]\z/m))
          type = parts[1]
          title = parts[2]
        end
        data = PuppetRepl::Host.ask('resource', type: type.to_s, title: title.to_s)
        data && Resource.from_host(data)
      end

      def resource_keys
        resources.map { |one| [one.type, one.title] }
      end

      def classes
        PuppetRepl::Host.ask('classes')
      end

      def tags
        Puppet::Util::TagSet.new(PuppetRepl::Host.ask('catalog_tags'))
      end

      def environment
        Puppet::Node::Environment.current.name.to_s
      end

      def name
        PuppetRepl::Host.ask('node_name')
      end

      def method_missing(name, *)
        PuppetRepl.unavailable("Puppet::Resource::Catalog##{name}")
      end

      def respond_to_missing?(*)
        false
      end
    end
  end

  # A resource of the catalog.
  class Parser::Resource < Resource
    def [](name)
      name = name.to_sym
      name == :title ? title : parameters[name]&.value
    end

    # The class or define that has declared it.
    def source
      Puppet::Resource::Type.new(PuppetRepl::Host.ask('definer', resource: to_host))
    end

    def []=(name, value)
      set_parameter(name, value)
    end

    # Set a parameter, by its name and value or as a Param.
    def set_parameter(name, value = nil)
      param = name.is_a?(Param) ? name : Param.new(name: name, value: value, source: nil)
      write('set_parameter', param.name, value: PuppetRepl::Values.encode(param.value))
      parameters.add(param.of(self))
    end

    def parameters
      @parameters ||= Parameters.new(self, PuppetRepl::Host.ask('resource_parameters', resource: to_host))
    end

    def eachparam(&block)
      parameters.each_value(&block)
    end

    # Change a parameter in the catalog.
    def write(change, name, **fields)
      PuppetRepl::Host.ask(change, resource: to_host, name: name.to_s, **fields)
    end

    private

    def values
      parameters.transform_values(&:value)
    end

    # The parameters of a resource by name. What is set or deleted here is so in the catalog.
    class Parameters < Hash
      alias put []=

      def initialize(resource, found)
        super()
        @resource = resource
        found.each { |name, data| put(name.to_sym, Param.described(name, data).of(resource)) }
      end

      def add(param)
        put(param.name, param)
      end

      def []=(_name, param)
        @resource.set_parameter(param)
      end
      alias store []=

      def delete(name)
        @resource.write('delete_parameter', name) if key?(name)
        super
      end
    end

    # One parameter; that of a resource changes it.
    class Param
      attr_accessor :name, :add, :file, :line
      attr_reader :value
      attr_writer :source

      def self.described(name, (value, number, line, file, add))
        value = PuppetRepl::Shared.value(number, value) if number
        new(name: name, value: value, line: line, file: file, add: add)
      end

      def self.from_param(param, value)
        made = param.dup
        made.value = value
        made
      end

      def initialize(name: nil, value: nil, source: nil, line: nil, file: nil, add: nil)
        raise Puppet::ResourceError, "'name' is a required option for #{self.class}" unless name

        @name = name.to_sym
        @value = value
        @source = source
        @line = line
        @file = file
        @add = add
      end

      def initialize_copy(_other)
        @resource = nil
      end

      # Belong to a resource.
      def of(resource)
        @resource = resource
        self
      end

      def value=(value)
        @resource&.write('change_parameter', @name, value: PuppetRepl::Values.encode(value))
        @value = value
      end

      # The class or define that has set it.
      def source
        @source ||= @resource && Puppet::Resource::Type.new(@resource.write('definer', @name))
      end

      def line_to_i
        line && Integer(line)
      end

      def to_s
        "#{name} => #{value}"
      end
    end
  end
end
