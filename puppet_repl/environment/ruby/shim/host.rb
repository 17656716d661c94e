# Questions to the interpreter, and errors in both directions.

module PuppetRepl
  # The other side. An engine sets the primitive: a callable from a JSON text to a JSON text.
  module Host
    class << self
      attr_writer :primitive

      # Return the answer to a question; what failed there is raised here.
      def ask(name, **question)
        question['ask'] = name
        reply = JSON.parse(@primitive.call(PuppetRepl.generate(question)), PARSE)
        error = reply['e']
        raise Errors.restore(error) if error

        Values.decode(reply['r'])
      end
    end
  end

  # Exceptions as data.
  module Errors
    # An error of the interpreter on its way through Ruby code: it keeps its identity.
    module FromHost
      attr_accessor :host_id
    end

    class << self
      # Describe an exception:
      #   c class name, m message, k kind, h number of an error of the interpreter's own,
      #   file/line/pos of a place in Puppet code, b backtrace
      def describe(error)
        data = { 'c' => error.class.name || error.class.to_s, 'm' => message(error), 'k' => kind(error),
                 'p' => error.is_a?(Puppet::Error) }
        data['h'] = error.host_id if error.is_a?(FromHost)
        if error.is_a?(Puppet::ExternalFileError)
          data['place'] = [error.file&.to_s, error.line, error.pos] if error.file || error.line
        end
        data['b'] = backtrace(error)
        data
      end

      # Return the exception for an error of the interpreter; the end of a lookup is thrown.
      def restore(data)
        throw :no_such_key if data['c'] == 'not_found'

        error = class_of(data['c']).allocate
        error.send(:initialize, data['m'])
        error.extend(FromHost)
        error.host_id = data['h']
        error.set_backtrace(data['b'] + caller) if data['b']
        error
      end

      # Tell whether the Ruby of an agent may well do what has failed: it has more of Puppet, libraries,
      # files and processes.
      def of_this_ruby?(error)
        return false if error.is_a?(Puppet::Error) && !error.is_a?(FromHost)
        return true if error.backtrace.to_a.first.to_s.start_with?(__dir__)

        case error
        when FromHost, NameError, ::LoadError, NotImplementedError, SystemCallError, IOError then true
        else error.class.name.to_s.match?(/\A(PuppetRepl::|SocketError\z)/)
        end
      end

      private

      # How Puppet reports it: wrapped ("in"), or as it is ("as").
      def kind(error)
        case error
        when Puppet::PreformattedError, StopIteration then 'as'
        # Puppet reports no location for NoMemoryError; here it is a limit, and users look for it.
        when StandardError, NoMemoryError then 'in'
        else 'as'
        end
      end

      def message(error)
        text = error.is_a?(Puppet::Error) ? error.basic_text : error.message
        Values.readable(text.to_s)
      end

      def backtrace(error)
        (error.backtrace || []).first(20).map { |line| Values.readable(line) }
      end

      def class_of(name)
        case name
        when 'break' then Puppet::Pops::Evaluator::PuppetStopIteration
        when 'next' then Puppet::Pops::Evaluator::Next
        when 'return' then Puppet::Pops::Evaluator::Return
        when 'argument' then ArgumentError
        when 'regexp' then RegexpError
        when 'lookup' then Puppet::DataBinding::LookupError
        when 'located' then Puppet::PreformattedError
        else Puppet::ParseError
        end
      end
    end
  end
end
