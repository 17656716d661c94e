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

    def initialize(type, title = nil, attributes = {})
      if title.nil? && (parts = type.to_s.match(/\A([^\[\]]+)\[(.+)\]\z/m))
        type = parts[1]
        title = parts[2]
      end
      fill('type' => type.to_s.split('::').map { |word| word[0..0].upcase + word[1..] }.join('::'), 'title' => title.to_s)
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

      parameters[key]
    end

    def []=(name, value)
      return @parameters[name.to_sym] = value unless @number

      PuppetRepl::Host.ask('set_parameter', resource: to_host, name: name.to_s, value: PuppetRepl::Values.encode(value))
      @parameters = nil
    end
    alias set_parameter []=

    def to_hash
      @namevar ? { @namevar.to_sym => title }.merge(parameters.compact) : parameters.compact
    end
    alias to_h to_hash

    def keys
      parameters.keys
    end

    def parameters
      @parameters ||= PuppetRepl::Host.ask('resource_parameters', resource: to_host).transform_keys(&:to_sym)
    end

    def key?(name)
      parameters.key?(name.to_sym)
    end
    alias has_key? key?

    def each(&block)
      parameters.each(&block)
    end
    include Enumerable

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

    # A resource of the catalog.
    Parser::Resource = Class.new(self)

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
end
