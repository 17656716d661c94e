# Arrays and hashes of Puppet that code may change in place: those of variables and arguments, and
# strings of variables.
#
# Each has a number, and whoever reads it again before the outermost call ends gets the same object.
# The interpreter is told of those that have changed.

module PuppetRepl
  module Shared
    @values = {}
    @texts = {} # what they were: to write them out takes less than to look at each item

    class << self
      # Return the value that has a number, which is this one if it is new.
      def value(number, value)
        return value if value.is_a?(String) && value.frozen?

        @values.fetch(number) do
          @texts[number] = text(value)
          @values[number] = value
        end
      end

      # Return the numbers and encoded values of those that have changed since the last time.
      def take_changes
        return nil if @values.empty? || @is_comparing

        changed = comparing do
          @values.filter_map do |number, value|
            now = text(value)
            [number, Values.encode(value)] if now != @texts[number] && (@texts[number] = now)
          end
        end
        changed unless changed.empty?
      end

      def forget
        return if @values.empty?

        @values.clear
        @texts.clear
      end

      private

      # The text of an object is a question, and the answer may take a request to Ruby.
      def comparing
        @is_comparing = true
        yield
      ensure
        @is_comparing = false
      end

      def text(value)
        Marshal.dump(value)
      rescue TypeError # a block or the like is in it
        outline(value).inspect
      end

      def outline(value)
        case value
        when Array then value.map { |item| outline(item) }
        when Hash then value.map { |key, item| [key.object_id, outline(item)] }
        when String then value
        else value.object_id
        end
      end
    end
  end
end
