# Functions of modules: 4.x (Puppet::Functions.create_function) and 3.x (newfunction).
#
# The interpreter checks arguments, for it knows the types; a call arrives with the number of the
# dispatch that it has selected.

module Puppet
  module Pops
    module Functions
      # The base of all 4.x functions.
      class Function
        attr_reader :loader

        class << self
          attr_accessor :number, :path

          def dispatches
            @dispatches ||= PuppetRepl::Functions::Dispatches.new
          end
          alias dispatcher dispatches

          def aliases
            @aliases ||= []
          end
        end

        def initialize(closure_scope, loader)
          @closure_scope = closure_scope
          @loader = loader
        end

        def closure_scope
          @closure_scope || Puppet::Parser::Scope.top
        end

        def call_function(name, *arguments, &block)
          PuppetRepl::Functions.call_other(self.class.name, closure_scope, name, arguments, block, self.class.path)
        end

        # Call as Puppet code would, with the checks of arguments. A function may have its own.
        def call(scope, *arguments, &block)
          self.class.dispatcher.dispatch(self, scope, arguments, &block)
        end
      end
    end
  end

  module Functions
    Function = Class.new(Pops::Functions::Function) do
      def self.builder
        PuppetRepl::Functions::Builder.new(self)
      end

      def self.dispatch(method, &block)
        builder.add(method, false, &block)
      end

      def self.argument_mismatch(method, &block)
        builder.add(method, true, &block)
      end

      def self.local_types(&block)
        collector = PuppetRepl::Functions::LocalTypes.new
        collector.instance_eval(&block)
        aliases.concat(collector.texts)
      end
    end

    # A function that may have the scope of its caller.
    class InternalFunction < Function
      def self.builder
        PuppetRepl::Functions::InternalBuilder.new(self)
      end

      def call_function_with_scope(scope, name, *arguments, &block)
        PuppetRepl::Functions.call_other(self.class.name, scope, name, arguments, block, self.class.path)
      end
    end

    def self.create_function(name, base = Function, &block)
      create_loaded_function(name, PuppetRepl::Functions::LOADER, base, &block)
    rescue StandardError => e
      raise ArgumentError, "Function Load Error for function '#{name}': #{e.message}"
    end

    def self.create_loaded_function(name, _loader, base = Function, &block)
      unless base.ancestors.include?(Pops::Functions::Function)
        raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{base}"
      end

      name = name.to_s
      made = Class.new(base)
      made.define_singleton_method(:name) { name }
      made.define_singleton_method(:loader) { PuppetRepl::Functions::LOADER }
      made.class_eval(&block)
      PuppetRepl::Functions.add_default_dispatch(made, name.split('::').last) if made.dispatches.empty?
      made
    end
  end

  module Parser
    module Functions
      class << self
        # Define a 3.x function: its body becomes a method, because it may return.
        def newfunction(name, options = {}, &block)
          name = name.to_sym
          type = options[:type] || :statement
          raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[statement rvalue].include?(type)

          Puppet.warning("Overwriting previous definition for function #{name}") if PuppetRepl::Functions.legacy[name]
          PuppetRepl::Functions.define_legacy(name, options[:arity] || -1, type, &block)
          info = { arity: options[:arity] || -1, type: type, name: "function_#{name}" }
          info[:doc] = options[:doc] if options[:doc]
          PuppetRepl::Functions.legacy[name] = info
        end

        # Return the name of the method of a 3.x function, false where there is none.
        def function(name, _environment = nil)
          name = name.to_sym
          return PuppetRepl::Functions.legacy[name][:name] if PuppetRepl::Functions.legacy[name]

          path = PuppetRepl::Host.ask('legacy_file', name: name.to_s)
          case path
          when String
            PuppetRepl::Functions.evaluate_legacy(name.to_s, path)
            PuppetRepl::Functions.legacy[name] ? "function_#{name}" : false
          when true then "function_#{name}"
          else false
          end
        end

        def rvalue?(name, _environment = nil)
          info = PuppetRepl::Functions.legacy[name.to_sym]
          info ? info[:type] == :rvalue : PuppetRepl::Host.ask('legacy_file', name: name.to_s) == true
        end

        def arity(name, _environment = nil)
          info = PuppetRepl::Functions.legacy[name.to_sym]
          info ? info[:arity] : -1
        end

        def autoloader
          Autoloader
        end

        def environment_module(_environment = nil)
          PuppetRepl::Functions::Legacy
        end

        def reset; end
      end

      module Autoloader
        def self.load(name, _environment = nil)
          deprecated('load', name)
          Functions.function(name) != false
        end

        def self.loadall; end

        def self.loaded?(name)
          deprecated('loaded?', name)
          !PuppetRepl::Functions.legacy[name.to_sym].nil?
        end

        def self.deprecated(method, name)
          return if Puppet[:strict] == :off

          Puppet.warn_once('deprecations', "Puppet::Parser::Functions.#{method}('#{name}')",
                           "The method 'Puppet::Parser::Functions.autoloader##{method}(\"#{name}\")' " \
                           "is deprecated in favor of using 'Scope#call_function'.")
        end
        private_class_method :deprecated

        def self.delegatee
          Functions
        end
      end

      class Error; end
    end
  end

  module Pops
    module Loader
      # What 4.x functions get as their loader.
      class DependencyLoader
        def private_loader
          self
        end

        def load(kind, name)
          return nil unless kind == :function && PuppetRepl::Host.ask('function_exists', name: name.to_s)

          PuppetRepl::Functions::Callable.new(name.to_s)
        end

        def inspect
          '(DependencyLoader)'
        end
      end

      # The code of a file is evaluated inside of these: constants that it defines belong to them.
      class RubyFunctionInstantiator; end
      class RubyLegacyFunctionInstantiator; end
    end
  end
end

# Opened by their full names: the code must not see the constants of the modules around them.
class Puppet::Pops::Loader::RubyFunctionInstantiator
  def self.evaluate(code, path)
    eval(code, binding, path, 1) # rubocop:disable Security/Eval
  end
end

class Puppet::Pops::Loader::RubyLegacyFunctionInstantiator
  def self.evaluate(code, path)
    eval(code, binding, path, 1) # rubocop:disable Security/Eval
  end
end

module PuppetRepl
  module Functions
    LOADER = Puppet::Pops::Loader::DependencyLoader.new

    # A function that was found by its name.
    class Callable
      def initialize(name)
        @name = name
      end

      def call(scope, *arguments, &block)
        Functions.call_other(@name, scope, @name, arguments, block)
      end
    end

    # The methods of 3.x functions; scopes have them.
    module Legacy
      def self.all_function_info
        Functions.legacy
      end
    end

    @legacy = {}
    @sources = {} # files of 3.x functions, by name
    @instances = []
    @descriptions = {} # of 4.x functions, by file
    FUNCTION_CALL = /Puppet::Functions\.create_function/.freeze

    class << self
      attr_reader :legacy

      # The signature of a function without dispatches: that of its method.
      def add_default_dispatch(function, name)
        unless function.method_defined?(name)
          raise ArgumentError, "Function Creation Error, cannot create a default dispatcher for function '#{name}', no method with this name found"
        end

        counts = { req: 0, opt: 0, rest: 0 }
        dispatch = Dispatch.new(name.to_sym)
        function.instance_method(name).parameters.each do |kind, parameter|
          counts[kind] += 1
          dispatch.names << parameter.to_s
        end
        dispatch.types.concat(['Any'] * dispatch.names.size)
        dispatch.minimum = counts[:req]
        dispatch.maximum = counts[:rest].positive? ? nil : counts[:req] + counts[:opt]
        function.dispatches << dispatch
      end

      # Load the file of a 4.x function, unless that was done; return its number and description.
      def load(name, path)
        @descriptions[path] ||= evaluate(name, path)
      end

      def evaluate(name, path)
        code = read(path)
        unless code.match?(FUNCTION_CALL)
          raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 4x API function - no create_function call."
        end

        made = Puppet::Pops::Loader::RubyFunctionInstantiator.evaluate(code, path)
        unless made.is_a?(Class)
          raise ArgumentError, "The code loaded from #{path} did not produce a Function class when evaluated. Got '#{made.class}'"
        end
        unless made.name.to_s == name
          raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', got #{made.name}"
        end

        made.number = @instances.size
        made.path = path
        @instances << made.new(nil, LOADER)
        { 'id' => made.number, 'dispatches' => made.dispatches.map(&:describe), 'aliases' => made.aliases,
          'has_call' => made.instance_method(:call).owner != Puppet::Pops::Functions::Function }
      end

      # Load the file of a 3.x function; return its description.
      def load_legacy(name, path)
        unless legacy.key?(name.to_sym) && [nil, path].include?(@sources[name.to_sym])
          legacy.delete(name.to_sym)
          info = evaluate_legacy(name, path)
          unless info.is_a?(Hash)
            raise ArgumentError, "Illegal legacy function definition! The code loaded from #{path} did not return the result of calling 'newfunction'. Got '#{info.class}'"
          end
          unless info[:name] == "function_#{name}"
            raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected 'function_#{name}', got '#{info[:name]}'"
          end
        end
        info = legacy.fetch(name.to_sym)
        { 'arity' => info[:arity], 'type' => info[:type].to_s, 'doc' => info[:doc]&.to_s }
      end

      def evaluate_legacy(name, path)
        @sources[name.to_sym] = path
        code = read(path)
        check_legacy(code, path)
        Puppet::Pops::Loader::RubyLegacyFunctionInstantiator.evaluate(code, path)
      end

      def define_legacy(name, arity, type, &block)
        real = "real_function_#{name}"
        Legacy.send(:define_method, real, &block)
        Legacy.send(:define_method, "function_#{name}") do |*arguments|
          values = arguments[0]
          unless values.is_a?(Array)
            raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                                 'For example, function_example([1]) instead of function_example(1)'
          end
          if arity >= 0 && values.size != arity
            raise ArgumentError, "#{name}(): Wrong number of arguments given (#{values.size} for #{arity})"
          elsif arity.negative? && values.size < -arity - 1
            raise ArgumentError, "#{name}(): Wrong number of arguments given (#{values.size} for minimum #{-arity - 1})"
          end

          result = Functions.without_undef(send(real, values))
          type == :rvalue ? result : nil
        end
      end

      # Results of 3.x functions may say :undef.
      def without_undef(value)
        case value
        when :undef then nil
        when Array then value.map { |item| without_undef(item) }
        when Hash then value.to_h { |key, item| [without_undef(key), without_undef(item)] }
        else value
        end
      end

      def call(number, dispatch, scope, arguments, block)
        function = @instances.fetch(number)
        value = Values::NOT_FOUND
        catch(:no_such_key) do # no return out of it: in a sandbox that costs as much as the call
          value = if dispatch
                    chosen = function.class.dispatches.fetch(dispatch)
                    function.send(chosen.method, *chosen.weave(scope, arguments), &block)
                  else
                    function.call(scope, *arguments, &block)
                  end
        end
        value
      end

      # Call any function for a function; messages name the caller, whose file tells its module.
      def call_other(caller_name, scope, name, arguments, block, path = nil)
        Host.ask('call_function', name: name.to_s, args: Values.encode(arguments), caller: caller_name, path: path,
                                  block: block && Values.encode(block),
                                  scope: scope.respond_to?(:number) ? scope.number : 0)
      end

      private

      def read(path)
        PuppetRepl.loaded(path)
        File.read(path, encoding: 'bom|utf-8')
      end

      # Refuse what Puppet refuses of 3.x files: methods outside of the function.
      def check_legacy(code, path)
        unless code.match?(/\bdef\b/)
          check_newfunction(code, path)
          return
        end
        tree = begin
          RubyVM::AbstractSyntaxTree.parse(code)
        rescue ::SyntaxError
          return # evaluating it will say where and what is wrong
        end
        refuse_methods(tree, code.lines, path)
        check_newfunction(code, path)
      end

      def check_newfunction(code, path)
        return if code.match?(/\bnewfunction\b/)

        raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 3x API function - no 'newfunction' call."
      end

      # Where Puppet says "line" it gives the column of the name.
      def refuse_methods(node, lines, path)
        return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

        if %i[DEFN DEFS].include?(node.type)
          name = node.children[node.type == :DEFN ? 0 : 1].to_s
          column = lines[node.first_lineno - 1].byteslice(node.first_column..).index(/(?<=[\s.])#{Regexp.escape(name)}/)
          raise SecurityError, "Illegal method definition of method '#{name}' in source #{path} on line #{node.first_column + column.to_i} " \
                               "in legacy function. See #{Puppet::Profile['legacy_functions_page']} for more information"
        end
        node.children.each { |child| refuse_methods(child, lines, path) }
      end
    end
  end

  on('load') { |request| Functions.load(request['name'], request['path']) }
  on('load_legacy') { |request| Functions.load_legacy(request['name'], request['path']) }
  on('call') do |request|
    arguments = Values.freeze_strings(Values.decode(request['a']))
    request['k']&.each { |index, number| arguments[index] = Shared.value(number, arguments[index]) }
    Functions.call(request['n'], request['d'], request.key?('s') ? Puppet::Parser::Scope.at(request['s']) : nil,
                   arguments, request['b'] && Values.decode(request['b']))
  end
  on('call_block') { |request| Values.kept(request['v']).call(*Values.decode(request['a'])) }
  on('call_legacy') do |request|
    Puppet::Parser::Scope.at(request['s']).send("function_#{request['name']}", Values.decode(request['a']))
  end
end
