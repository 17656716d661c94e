# Values of Puppet <-> JSON. The other half is puppet_repl/environment/ruby/values.py.
#
# Plain data are plain JSON. Anything else is an object with the key "~", which says what it is.
# A value that only one side understands crosses as a handle: a number in that side's table.

module PuppetRepl
  module Values
    TAG = '~'

    # The result of a function that provides data and has no value for a key.
    NOT_FOUND = Object.new
    def NOT_FOUND.to_host
      { TAG => 'not_found' }
    end

    @objects = {}     # objects of Ruby that the interpreter refers to, by number
    @last = 0
    @released = []    # handles of the interpreter that were collected here
    @constants = ObjectSpace::WeakMap.new # arrays and hashes of facts: the number of each there

    class << self
      # Return the value that parsed JSON stands for.
      def decode(value)
        case value
        when Array
          value.map! { |item| decode(item) }
        when Hash
          return DECODERS.fetch(value[TAG]).call(value) if value.key?(TAG)

          value.each { |key, item| value[key] = decode(item) if item.is_a?(Hash) || item.is_a?(Array) }
        else value
        end
      end

      # Freeze the strings of a value, as those that stand in Puppet code are.
      def freeze_strings(value)
        case value
        when String then value.freeze
        when Array then value.each { |item| freeze_strings(item) }
        when Hash then value.each_value { |item| freeze_strings(item) }
        end
        value
      end

      # Freeze the strings of a value that are equal to one of these.
      def freeze_equal(value, texts)
        case value
        when String then value.freeze if texts.include?(value)
        when Array then value.each { |item| freeze_equal(item, texts) }
        when Hash then value.each_value { |item| freeze_equal(item, texts) }
        end
      end

      # Freeze a value with all that is in it.
      def freeze(value)
        case value
        when Array then value.each { |item| freeze(item) }
        when Hash then value.each_value { |item| freeze(item) }
        end
        value.freeze
      end

      # Return a value that is frozen; the interpreter gets one with a number back by that.
      def frozen(data)
        value = freeze(decode(data['v']))
        @constants[value] = data['n'] if data['n']
        value
      end

      def encode(value)
        case value
        when nil, true, false, Integer then value
        when String then text(value)
        when Float then value
        when Array then constant(value) || value.map { |item| encode(item) }
        when Hash then constant(value) || hash(value)
        when Symbol then symbol(value)
        else rich(value)
        end
      end

      # Encode an object that only Ruby understands.
      def opaque(value)
        { TAG => 'ruby', 'v' => keep(value), 'c' => value.class.name || value.class.to_s,
          's' => readable(value.to_s), 'i' => readable(value.inspect) }
      end

      # Return the text of an exception or the like as valid UTF-8.
      def readable(text)
        text = text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace) unless text.encoding == Encoding::UTF_8
        text.valid_encoding? ? text : text.scrub
      end

      # Handles

      def keep(object)
        @objects[@last += 1] = object
        @last
      end

      def kept(number)
        @objects.fetch(number)
      end

      def forget(numbers)
        numbers.each { |number| @objects.delete(number) }
      end

      # Tell the interpreter when an object that stands for one of its values is collected.
      def watch(object, handle)
        ObjectSpace.define_finalizer(object, releaser(handle))
        object
      end

      # Forget what the interpreter referred to, and that something of its values was collected.
      def clear
        @objects.clear
        @constants = ObjectSpace::WeakMap.new
        @released = []
      end

      def take_released
        return @released if @released.empty?

        taken = @released
        @released = []
        taken
      end

      def release(handle)
        @released << handle
      end

      private

      def releaser(handle)
        proc { Values.release(handle) }
      end

      def constant(value)
        number = value.frozen? && @constants[value]
        number && { TAG => 'frozen', 'n' => number }
      end

      def text(value)
        value = String.new(value) unless value.instance_of?(String)
        case value.encoding
        when Encoding::UTF_8, Encoding::US_ASCII
          return value if value.valid_encoding?
        when Encoding::BINARY
          # A String there too, but a catalog holds it as a Binary.
          return { TAG => 'bytes', 'v' => [value].pack('m0'), 'binary' => true }
        else
          begin
            return value.encode(Encoding::UTF_8)
          rescue EncodingError
            nil
          end
        end
        { TAG => 'bytes', 'v' => [value.b].pack('m0') }
      end

      def symbol(value)
        case value
        when :undef then nil
        when :default then { TAG => 'default' }
        else { TAG => 'symbol', 'v' => value.to_s }
        end
      end

      def hash(value)
        simple = value.each_key.all? { |key| key.instance_of?(String) && key != TAG && key.valid_encoding? && key.encoding == Encoding::UTF_8 }
        return value.transform_values { |item| encode(item) } if simple

        { TAG => 'hash', 'v' => value.map { |key, item| [encode(key), encode(item)] } }
      end

      def rich(value)
        return value.to_host if value.respond_to?(:to_host)

        case value
        when Regexp then { TAG => 'regexp', 'v' => pattern(value) }
        when Hash then hash(value.to_h)
        when Object.autoload?(:URI) ? nil : URI::Generic then { TAG => 'uri', 'v' => value.to_s }
        when Proc then block(value)
        else opaque(value)
        end
      end

      def pattern(value)
        value.options.zero? ? value.source : value.to_s
      end

      def block(value)
        return { TAG => 'closure', 'h' => value.handle } if value.respond_to?(:handle)

        parameters = value.parameters.map do |kind, name|
          kind = :opt if kind == :req && !value.lambda?
          [kind, name]
        end
        { TAG => 'proc', 'v' => keep(value), 'p' => parameters }
      end
    end

    DECODERS = {
      'bytes' => ->(data) { data['v'].unpack1('m0').force_encoding(Encoding::UTF_8) },
      'hash' => ->(data) { data['v'].to_h { |key, value| [decode(key), decode(value)] } },
      'default' => ->(_) { :default },
      'symbol' => ->(data) { data['v'].to_sym },
      'frozen' => ->(data) { frozen(data) },
      'ruby' => ->(data) { kept(data['v']) },
      'regexp' => ->(data) { Regexp.new(data['v']) }
    }
  end

  on_begin { Values.clear }
end
