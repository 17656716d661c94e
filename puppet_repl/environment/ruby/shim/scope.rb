# Puppet::Parser::Scope and what can be reached from it: the compiler, the node.

module Puppet
  module Parser
    autoload :TemplateWrapper, File.join(__dir__, 'templates.rb')

    # A scope of the interpreter, by its number; 0 is the top scope.
    class Scope
      include Puppet::Logging
      include PuppetRepl::Functions::Legacy
      attr_reader :number

      # Those that code has given another lookupdefaults, by the number that they had then.
      def self.changed
        @changed ||= {}
      end

      def self.at(number)
        number.zero? ? top : new(number)
      end

      def self.top
        @top ||= new(0)
      end

      # Return the value of a variable, which has a number if it may change; a fact may be a number only.
      def self.variable(value, number = nil, fixed = nil)
        return PuppetRepl::Templates.fixed(fixed) if fixed

        number ? PuppetRepl::Shared.value(number, value) : value
      end

      def self.true?(value)
        !['', :undef, nil, false].include?(value)
      end

      def self.number?(value)
        case value
        when Numeric then value
        when /^-?\d+(:?\.\d+|(:?\.\d+)?e\d+)$/ then value.to_f
        when /^0x[0-9a-f]+$/i then value.to_i(16)
        when /^0[0-7]+$/ then value.to_i(8)
        when /^-?\d+$/ then value.to_i
        end
      end

      def initialize(number)
        @number = number
        @defaults = Hash.new { |types, type| types[type] = {} }
      end

      # Functions like noop() redefine how the defaults of a scope are found.
      def singleton_method_added(name)
        return unless name == :lookupdefaults

        Scope.changed[@number] = self
        PuppetRepl::Host.ask('change_defaults', scope: @number)
      end

      # Return the defaults for a type by name; of code that redefines this, those before it.
      def lookupdefaults(type)
        @given || Scope.described(PuppetRepl::Host.ask('defaults', scope: @number, type: type.to_s))
      end

      # Return what the redefined lookupdefaults makes of defaults: nil for those that stay.
      def changed_defaults(number, type, given)
        @number = number
        @given = given.dup
        lookupdefaults(type).to_h do |name, param|
          [name.to_s, given[name].equal?(param) ? nil : [param.value]]
        end
      ensure
        @given = nil
      end

      def self.described(defaults)
        defaults.to_h { |name, data| [name.to_sym, Resource::Param.described(name, data)] }
      end

      # Variables

      def lookupvar(name, _options = {})
        unless name.is_a?(String)
          raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end

        found = PuppetRepl::Host.ask('lookupvar', scope: @number, name: name)
        return variable_not_found(name) if found.empty?

        Scope.variable(*found)
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def include?(name)
        catch(:undefined_variable) { return !self[name].nil? }
        false
      end

      def exist?(name)
        !PuppetRepl::Host.ask('lookupvar', scope: @number, name: name).empty?
      end

      def bound?(name)
        PuppetRepl::Host.ask('bound', scope: @number, name: name)
      end

      def setvar(name, value, _options = {})
        raise Puppet::ParseError, "Cannot assign to a numeric match result variable '$#{name}'" if name.to_s.match?(/\A[0-9]+\z/)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)
        raise Puppet::ParseError, "Attempt to assign to a reserved variable name: '#{name}'" if %w[trusted facts server_facts].include?(name)
        raise Puppet::ParseError, "Cannot reassign variable '$#{name}'" if bound?(name)

        PuppetRepl::Host.ask('setvar', scope: @number, name: name, value: PuppetRepl::Values.encode(value))
        value
      end

      def []=(name, value, _options = nil)
        setvar(name, value)
      end

      def to_hash(recursive = true, include_undef = false)
        found = PuppetRepl::Host.ask('variables', scope: @number, recursive: recursive ? true : false,
                                                  with_undef: include_undef ? true : false)
        found.transform_values { |pair| Scope.variable(*pair) }
      end

      def has_local_variable?(name)
        to_hash(false, true).key?(name)
      end

      def get_local_variable(name)
        to_hash(false, true)[name]
      end

      def undef_as(value, other)
        other.nil? || other == :undef ? value : other
      end

      # Functions

      def call_function(name, arguments, &block)
        arguments = [*arguments] # a hash becomes its pairs, as in Puppet
        method = "function_#{name}"
        # A 3.x function with a qualified name has no file of that name: it is known here only.
        return send(method, arguments) if name.to_s.include?('::') && respond_to?(method, true)

        PuppetRepl::Host.ask('call_function', name: name.to_s, args: PuppetRepl::Values.encode(arguments), scope: @number,
                                              block: block && PuppetRepl::Values.encode(block))
      end

      def method_missing(name, *arguments, &block)
        function = name.to_s[/\Afunction_(.*)\z/m, 1]
        return super unless function && Puppet::Parser::Functions.function(function)

        return send(name, *arguments, &block) if respond_to?(name, true)

        unless arguments[0].is_a?(Array)
          raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                               'For example, function_example([1]) instead of function_example(1)'
        end
        PuppetRepl::Host.ask('call_legacy', name: function, args: PuppetRepl::Values.encode(arguments[0]), scope: @number)
      end

      def respond_to_missing?(name, all = false)
        function = name.to_s[/\Afunction_(.*)\z/m, 1]
        function ? PuppetRepl::Functions.legacy.key?(function.to_sym) : super
      end

      # The catalog

      def resource
        data = PuppetRepl::Host.ask('scope_resource', scope: @number)
        data && Puppet::Resource.from_host(data)
      end

      # The class or define; that of code outside of all has no name.
      def source
        data = PuppetRepl::Host.ask('scope_source', scope: @number)
        Puppet::Resource::Type.new(data || { 'name' => '', 'kind' => 'hostclass', 'module' => '' })
      end

      def catalog
        compiler.catalog
      end

      def compiler
        CatalogCompiler.current
      end

      def environment
        Puppet::Node::Environment.current
      end

      def findresource(type, title = nil)
        catalog.resource(type, title)
      end

      def find_hostclass(name)
        environment.known_resource_types.find_hostclass(name)
      end

      def find_definition(name)
        environment.known_resource_types.find_definition(name)
      end

      def class_scope(name)
        number = PuppetRepl::Host.ask('class_scope', name: (name.respond_to?(:name) ? name.name : name).to_s)
        number && Scope.at(number)
      end

      def tags
        PuppetRepl::Host.ask('scope_tags', scope: @number)
      end

      def tagged?(*names)
        (names.map(&:to_s) & tags).any?
      end

      # Other scopes

      def parent
        related('parent')
      end

      def enclosing_scope
        related('enclosing')
      end

      def inherited_scope
        related('inherited')
      end

      def find_global_scope
        is_topscope? || is_nodescope? ? self : (inherited_scope || enclosing_scope).find_global_scope
      end

      def is_topscope?
        kind == 'top'
      end

      def is_nodescope?
        kind == 'node'
      end

      def is_classscope?
        %w[top class].include?(kind)
      end

      def module_name
        lookupvar('module_name')
      end

      def to_s
        found = resource
        found ? "Scope(#{found})" : 'Scope()'
      end

      alias inspect to_s

      private

      def kind
        @number.zero? ? 'top' : PuppetRepl::Host.ask('scope_kind', scope: @number)
      end

      def related(relation)
        number = PuppetRepl::Host.ask('related_scope', scope: @number, relation: relation)
        number && Scope.at(number)
      end

      # The same as in Puppet: who catches :undefined_variable gets nil, others an error.
      def variable_not_found(name)
        return nil if %w[module_name caller_module_name].include?(name) || name.match?(/\A\d+\z/)

        strict, written, reason = PuppetRepl::Host.ask('unknown_variable', name: name)
        begin
          throw(:undefined_variable, reason)
        rescue UncaughtThrowError
          message = "Undefined variable '#{written}'; #{reason}"
          raise ArgumentError, message if strict == 'error'

          Puppet.warn_once('undefined_variables', "Variable: #{written}", message) if strict == 'warning'
        end
        nil
      end
    end

    # What compiles the catalog.
    class CatalogCompiler
      def self.current
        @current ||= new
      end

      def catalog
        Puppet::Resource::Catalog.current
      end

      def environment
        Puppet::Node::Environment.current
      end

      def topscope
        Scope.top
      end

      def node
        @node ||= Puppet::Node::Current.new
      end

      def findresource(type, title = nil)
        catalog.resource(type, title)
      end

      # Those that the program has declared.
      def resources
        catalog.resources.reject { |one| ['Stage[main]', 'Class[Settings]'].include?(one.ref) }
      end
    end

    class Compiler < CatalogCompiler; end

    module Files
      class << self
        def find_file(name, _environment = nil)
          PuppetRepl::Host.ask('find_file', kind: 'files', name: name)
        end

        def find_template(name, _environment = nil)
          PuppetRepl::Host.ask('find_file', kind: 'templates', name: name)
        end
      end
    end

    def self.const_missing(name)
      PuppetRepl.constant_missing(self, name)
    end
  end

  module Node
    # The node that the catalog is for.
    class Current
      def name
        PuppetRepl::Host.ask('node_name')
      end

      def facts
        self
      end

      def values
        PuppetRepl::Host.ask('facts')
      end

      def parameters
        values.dup
      end

      def environment
        Environment.current
      end
    end
  end
end

module PuppetRepl
  on_begin { Puppet::Parser::Scope.changed.clear }
  on('lookupdefaults') do |request|
    scope = Puppet::Parser::Scope.changed.fetch(request['n'])
    given = Puppet::Parser::Scope.described(Values.decode(request['given']))
    scope.changed_defaults(request['scope'], request['type'], given)
  end
end
