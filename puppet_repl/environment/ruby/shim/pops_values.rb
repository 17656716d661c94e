# The values of Puppet that Ruby itself does not have, and how all values arrive.

module Puppet
  module Pops
    module Types
      class PSensitiveType
        class Sensitive
          def initialize(value)
            @value = value.is_a?(Sensitive) ? value.unwrap : value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{self}>"
          end

          def hash
            @value.hash
          end

          def ==(other)
            other.is_a?(Sensitive) && other.hash == hash
          end
          alias eql? ==

          def to_host
            { '~' => 'sensitive', 'v' => PuppetRepl::Values.encode(@value) }
          end
        end
      end

      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def initialize(bytes)
            @binary_buffer = bytes.b.freeze
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def relaxed_to_s
            [@binary_buffer].pack('m')
          end

          def length
            @binary_buffer.length
          end

          def hash
            @binary_buffer.hash
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == binary_buffer
          end
          alias eql? ==

          def to_host
            { '~' => 'binary', 'v' => to_s }
          end
        end
      end

      # What all objects are; classes of modules may include it.
      module PuppetObject
        def _pcore_type
          self.class._pcore_type
        end

        def _pcore_init_hash
          {}
        end

        def to_s
          PuppetRepl::Host.ask('text', value: PuppetRepl::Values.encode(self))
        end
      end

      # A value of the interpreter that Ruby has no equivalent of: an object, a lambda as a value.
      class HostObject
        include PuppetObject
        attr_reader :handle

        def initialize(data)
          @handle = data['h']
          @text = data['s']
          @members = data['m'] || []
        end

        def to_s
          @text
        end

        def method_missing(name, *arguments)
          return super unless @members.include?(name.to_s)

          PuppetRepl::Host.ask('member', value: to_host, name: name.to_s, args: PuppetRepl::Values.encode(arguments))
        end

        def respond_to_missing?(name, all = false)
          @members.include?(name.to_s) || super
        end

        def _pcore_type
          PuppetRepl::Host.ask('infer', value: to_host)
        end

        def ==(other)
          other.is_a?(HostObject) && (other.handle == handle || PuppetRepl::Host.ask('equal', one: to_host, two: other.to_host))
        end

        def to_host
          { '~' => 'object', 'h' => @handle }
        end
      end

      # The lazy sequences of reverse_each, step and the like.
      class Iterator
        include Enumerable

        def initialize(handle)
          @handle = handle
        end

        def each(&block)
          return to_enum unless block

          PuppetRepl::Host.ask('elements', value: to_host).each(&block)
          self
        end

        def to_host
          { '~' => 'object', 'h' => @handle }
        end
      end
      Iterable = Iterator
    end

    module Time
      # Times and durations count nanoseconds.
      class TimeData
        include Comparable
        attr_reader :nsecs

        def initialize(nsecs)
          @nsecs = nsecs
        end

        def <=>(other)
          other.is_a?(self.class) ? nsecs <=> other.nsecs : to_f <=> other
        end

        def to_i
          nsecs / 1_000_000_000
        end

        def to_f
          nsecs / 1e9
        end

        def to_r
          Rational(nsecs, 1_000_000_000)
        end

        def hash
          nsecs.hash
        end

        def eql?(other)
          other.instance_of?(self.class) && other.nsecs == nsecs
        end

        def to_s
          PuppetRepl::Host.ask('text', value: to_host)
        end

        def format(*arguments)
          PuppetRepl::Host.ask('call_function', name: 'strftime', args: [to_host, *PuppetRepl::Values.encode(arguments)])
        end
      end

      class Timestamp < TimeData
        def self.from_time(time)
          new(time.to_i * 1_000_000_000 + time.nsec)
        end

        def self.now
          from_time(::Time.now)
        end

        def self.parse(text, formats = :default, timezone = nil)
          arguments = [text, formats == :default ? :default : formats, *timezone]
          PuppetRepl::Host.ask('construct', type: { '~' => 'type', 'v' => 'Timestamp' }, args: PuppetRepl::Values.encode(arguments))
        end

        def to_time
          ::Time.at(0, nsecs, :nsec).utc
        end

        def +(other)
          self.class.new(nsecs + (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def -(other)
          case other
          when Timestamp then Timespan.new(nsecs - other.nsecs)
          when Timespan then self.class.new(nsecs - other.nsecs)
          else self.class.new(nsecs - (other * 1_000_000_000).to_i)
          end
        end

        def to_host
          { '~' => 'timestamp', 'v' => nsecs }
        end
      end

      class Timespan < TimeData
        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          total = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
          total = (total * 1000 + microseconds) * 1000 + nanoseconds
          new(negative ? -total : total)
        end

        def self.from_fields_hash(fields)
          PuppetRepl::Host.ask('construct', type: { '~' => 'type', 'v' => 'Timespan' }, args: PuppetRepl::Values.encode([fields.transform_keys(&:to_s)]))
        end

        def +(other)
          self.class.new(nsecs + (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def -(other)
          self.class.new(nsecs - (other.is_a?(Timespan) ? other.nsecs : (other * 1_000_000_000).to_i))
        end

        def to_host
          { '~' => 'timespan', 'v' => nsecs }
        end
      end
    end
  end
end

# Classes of our own for values of the interpreter, by the names of their classes in Puppet.
PuppetRepl::Values::OBJECT_CLASSES = {} # rubocop:disable Style/MutableConstant
PuppetRepl::Values::DECODERS.merge!(
  'sensitive' => ->(data) { Puppet::Pops::Types::PSensitiveType::Sensitive.new(PuppetRepl::Values.decode(data['v'])) },
  'binary' => ->(data) { Puppet::Pops::Types::PBinaryType::Binary.from_base64(data['v']) },
  'timestamp' => ->(data) { Puppet::Pops::Time::Timestamp.new(data['v']) },
  'timespan' => ->(data) { Puppet::Pops::Time::Timespan.new(data['v']) },
  'semver' => ->(data) { SemanticPuppet::Version.parse(data['v']) },
  'semverrange' => ->(data) { SemanticPuppet::VersionRange.parse(data['v']) },
  'uri' => lambda do |data|
    require 'uri'
    URI.parse(data['v'])
  end,
  'type' => lambda do |data|
    type = Puppet::Pops::Types.kind(data['k']).new(data['v'], data)
    data['h'] ? PuppetRepl::Values.watch(type, data['h']) : type
  end,
  'iterator' => ->(data) { PuppetRepl::Values.watch(Puppet::Pops::Types::Iterator.new(data['h']), data['h']) },
  'closure' => ->(data) { PuppetRepl::Values.watch(Puppet::Pops::Evaluator::PuppetProc.made(data['h'], data['p'], nil), data['h']) },
  'object' => lambda do |data|
    kind = PuppetRepl::Values::OBJECT_CLASSES.fetch(data['c'], Puppet::Pops::Types::HostObject)
    PuppetRepl::Values.watch(kind.new(data), data['h'])
  end,
  'scope' => ->(data) { Puppet::Parser::Scope.at(data['v']) },
  'resource' => ->(data) { Puppet::Resource.from_host(data) }
)
