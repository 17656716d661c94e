# The signatures that a 4.x function declares.

module PuppetRepl
  module Functions
    # One dispatch: types in Puppet's notation, names, and how arguments reach the method.
    class Dispatch
      attr_accessor :method, :mismatch, :types, :names, :minimum, :maximum, :block, :block_name,
                    :block_optional, :returns, :weaving

      def initialize(method, mismatch = false)
        @method = method
        @mismatch = mismatch
        @types = []
        @names = []
        @weaving = []
        @minimum = @maximum = 0
      end

      def weave(scope, arguments)
        return arguments unless weaving.include?(:scope)

        weaving.flat_map do |place|
          case place
          when :scope then [scope]
          when Array then arguments[place[0]..] || []
          else place < arguments.size ? [arguments[place]] : []
          end
        end
      end

      def describe
        { 'm' => method.to_s, 'mismatch' => mismatch, 'types' => types, 'names' => names, 'min' => minimum, 'max' => maximum,
          'block' => block, 'block_name' => block_name, 'block_optional' => block_optional ? true : false,
          'returns' => returns, 'scope' => weaving.include?(:scope) }
      end
    end

    # The signatures of a function; one that defines "call" uses them to call its methods.
    class Dispatches < Array
      def dispatch(function, scope, arguments, &block)
        question = { n: function.class.number, args: Values.encode(arguments), block: block && Values.encode(block) }
        number = Host.ask('select_dispatch', **question)
        chosen = fetch(number)
        result = function.send(chosen.method, *chosen.weave(scope, arguments), &block)
        Host.ask('check_result', n: question[:n], dispatch: number, value: Values.encode(result)) if chosen.returns
        result
      end
    end

    # What the block of dispatch is evaluated in.
    class Builder
      def initialize(function)
        @function = function
      end

      def add(method, mismatch, &block)
        @dispatch = Dispatch.new(method, mismatch)
        instance_eval(&block)
        @function.dispatches << @dispatch
      end

      def param(type, name)
        add_parameter(type, name)
        raise ArgumentError, 'A required parameter cannot be added after an optional parameter' if @dispatch.minimum != @dispatch.maximum

        @dispatch.minimum += 1
        @dispatch.maximum += 1
      end
      alias required_param param

      def optional_param(type, name)
        add_parameter(type, name)
        @dispatch.maximum += 1
      end

      def repeated_param(type, name)
        add_parameter(type, name, true)
        @dispatch.maximum = nil
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add_parameter(type, name, true)
        raise ArgumentError, 'A required repeated parameter cannot be added after an optional parameter' if @dispatch.minimum != @dispatch.maximum

        @dispatch.minimum += 1
        @dispatch.maximum = nil
      end

      def block_param(*type_and_name)
        type = 'Callable'
        name = :block
        case type_and_name.size
        when 0 then nil
        when 1 then name = type_and_name[0]
        when 2 then type, name = type_and_name
        else raise ArgumentError, "block_param accepts max 2 arguments (type, name), got #{type_and_name.size}."
        end
        raise ArgumentError, "Expected block_param name to be a Symbol, got #{name.class}" unless name.is_a?(Symbol)
        raise ArgumentError, 'Attempt to redefine block' if @dispatch.block

        @dispatch.block = type.to_s
        @dispatch.block_name = name.to_s
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block_param(*type_and_name)
        @dispatch.block_optional = true
      end

      def return_type(type)
        unless type?(type)
          raise ArgumentError, "Argument to 'return_type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        @dispatch.returns = type.to_s
      end

      private

      def type?(type)
        type.is_a?(String) || type.is_a?(Puppet::Pops::Types::PAnyType)
      end

      def add_parameter(type, name, repeated = false)
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @dispatch.block
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if @dispatch.maximum.nil?
        raise ArgumentError, "Parameter name argument must be a Symbol. Got #{name.class}" if name.is_a?(String)

        unless type?(type)
          raise ArgumentError, "Parameter 'type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        place = @dispatch.names.size
        @dispatch.types << type.to_s
        @dispatch.names << name.to_s
        @dispatch.weaving << (repeated ? [place] : place)
      end
    end

    class InternalBuilder < Builder
      def scope_param
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @dispatch.block

        @dispatch.weaving << :scope
      end

      def cache_param
        PuppetRepl.unavailable('cache_param')
      end

      def compiler_param
        PuppetRepl.unavailable('compiler_param')
      end

      def script_compiler_param
        PuppetRepl.unavailable('script_compiler_param')
      end
    end

    class LocalTypes
      attr_reader :texts

      def initialize
        @texts = []
      end

      def type(assignment)
        place = caller(1, 1).first.sub(/:in.*\z/m, '')
        name, definition = Host.ask('check_alias', text: assignment, place: place)
        @texts << [name, definition]
      end
    end
  end
end
