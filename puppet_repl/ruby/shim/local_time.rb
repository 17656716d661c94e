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

  # Of the class Time.
  module LocalTimes
    def now(**options)
      zone = LocalZone.current
      zone && options.empty? ? super(in: zone) : super
    end

    def at(*arguments, **options)
      zone = LocalZone.current
      return super if zone.nil? || options.key?(:in)

      time = super
      arguments.first.is_a?(Time) ? time : time.localtime
    end

    def new(*arguments, **options)
      zone = LocalZone.current
      return super if zone.nil? || arguments.size > 6 || options.key?(:in) || !equal?(Time)

      super(*arguments, **options, in: zone)
    end

    def local(*arguments)
      zone = LocalZone.current or return super
      time = Time.utc(*arguments)
      Time.new(time.year, time.month, time.day, time.hour, time.min, time.sec + time.subsec, in: zone)
    end
    alias mktime local
  end

  # Of a Time.
  module LocalTime
    def localtime(*zone)
      zone.empty? && LocalZone.current ? super(LocalZone.current) : super
    end

    def getlocal(*zone)
      zone.empty? && LocalZone.current ? super(LocalZone.current) : super
    end

    def zone
      value = super
      value.is_a?(LocalZone) ? value.abbr(self) : value
    end
  end

  Time.singleton_class.prepend(LocalTimes)
  Time.prepend(LocalTime)
end
