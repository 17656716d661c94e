# Arrays and hashes of Puppet that code may change in place: those of variables and arguments, and
# strings of variables.
#
# Each has a number, and whoever reads it again before the outermost call ends gets the same object.
# A reply tells the interpreter which have changed, of those that the request has used: a comparison
# takes long for large ones. The interpreter asks for all before it runs code that may read them.

module PuppetRepl
  module Shared
    @values = {}
    @used = nil # by the request that runs, as keys
    @texts = {} # what they were: to write them out takes less than to look at each item

    class << self
      # Return the value that has a number, which is this one if it is new.
      def value(number, value)
        return value if value.is_a?(String) && value.frozen?

        @used[number] = true
        @values.fetch(number) do
          @texts[number] = text(value)
          @values[number] = value
        end
      end

      # Return the numbers and encoded values of those that have changed since the last time.
      def take_changes
        return nil if @used.empty? || @is_comparing

        changed = comparing do
          @used.keys.filter_map do |number|
            now = text(value = @values[number])
            [number, Values.encode(value)] if now != @texts[number] && (@texts[number] = now)
          end
        end
        changed unless changed.empty?
      end

      # Begin a request, and return what the one that it interrupts has used, nil if there is none.
      def begin_request
        outer = @used
        @used = {}
        outer
      end

      def end_request(outer)
        outer ? outer.merge!(@used) : [@values, @texts].each(&:clear)
        @used = outer
      end

      def use_all
        @values.each_key { |number| @used[number] = true }
        nil
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

  on('changes') { Shared.use_all }
end
