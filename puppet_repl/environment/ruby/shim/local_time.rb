# Local time. Ruby as WebAssembly knows no zone but UTC; the interpreter sends the changes of the
# offset in its own zone, and times without a zone of their own get that.

module PuppetRepl
  # A zone as Time wants it. +changes+ are [seconds, offset, name, daylight saving], in order.
  class LocalZone
    class << self
      attr_accessor :current
    end

    def initialize(changes)
      @changes = changes
    end

    def utc_to_local(time)
      time + at(time.to_i)[1]
    end

    def local_to_utc(time)
      seconds = time.to_i
      guess = at(seconds - at(seconds)[1])[1]
      time - at(seconds - guess)[1]
    end

    def abbr(time)
      at(time.to_i)[2]
    end

    def dst?(time)
      at(time.to_i)[3]
    end

    def name
      'local'
    end

    private

    def at(seconds)
      index = @changes.bsearch_index { |change| change[0] > seconds } || @changes.size
      @changes[[index - 1, 0].max]
    end
  end

  # Replaces methods of Time. They are defined in their place, so that CoreGuard protects them.
  module LocalTimes
    class << self
      # The block gets the zone, the receiver, a proc that calls the original, and the arguments;
      # without a zone the original is called.
      def replace(owner, *names, &block)
        names.each do |name|
          original = owner.instance_method(name)
          owner.define_method(name) do |*arguments, **options|
            call = ->(*given, **named) { original.bind_call(self, *given, **named) }
            zone = LocalZone.current
            next call.call(*arguments, **options) if zone.nil? || options.key?(:in)

            block.call(zone, self, call, *arguments, **options)
          end
        end
      end
    end

    replace(Time.singleton_class, :now) { |zone, _, original| original.call(in: zone) }

    replace(Time.singleton_class, :at) do |_, _, original, *arguments, **options|
      time = original.call(*arguments, **options)
      arguments.first.is_a?(Time) ? time : time.localtime
    end

    replace(Time.singleton_class, :new) do |zone, owner, original, *arguments, **options|
      next original.call(*arguments, **options) if arguments.size > 6 || !owner.equal?(Time)

      original.call(*arguments, **options, in: zone)
    end

    replace(Time.singleton_class, :local, :mktime) do |zone, _, _, *arguments|
      time = Time.utc(*arguments)
      Time.new(time.year, time.month, time.day, time.hour, time.min, time.sec + time.subsec, in: zone)
    end

    replace(Time, :localtime, :getlocal) do |zone, _, original, *arguments|
      original.call(*(arguments.empty? ? [zone] : arguments))
    end

    replace(Time, :zone) do |_, time, original|
      value = original.call
      value.is_a?(LocalZone) ? value.abbr(time) : value
    end
  end
end
