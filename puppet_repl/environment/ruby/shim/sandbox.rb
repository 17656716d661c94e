# The engine "sandbox": how Ruby as WebAssembly talks to the interpreter, and what it cannot do.

require_relative 'main'

module PuppetRepl
  # A device that both sides write lines to. A line from the interpreter begins with R (a request) or
  # A (an answer to a question); one to it with Q (a question) or D (done: the reply to a request).
  module Sandbox
    CHANNEL = File.open('/dev/puppet-repl', 'r+b')
    # Most messages are short, and reading makes room for as much as it is told to read.
    SHORT = 1 << 13
    LONG = 1 << 20

    # What code in a sandbox may not do.
    class Refused < StandardError
    end

    class << self
      # Answer requests, one after the other.
      def run
        step while true
      end

      # Answer one request.
      def step
        serve(receive)
        nil
      end

      # A question may lead to other requests before its answer comes: they are answered here.
      def ask(question)
        CHANNEL.syswrite("Q#{question}\n")
        text = receive
        until text.start_with?('A')
          serve(text)
          text = receive
        end
        text[1..]
      end

      # Called in a copy of the Ruby that was prepared: copies must not share random numbers, and may
      # be in another zone.
      def wake(changes)
        srand
        @twin = Random.new(Random.seed)
        LocalZone.current = LocalZone.new(changes) unless changes.empty?
        nil
      end

      def refuse(what, error = Refused)
        raise error, "#{what} is not available: Ruby code of modules runs in a sandbox, without processes and network"
      end

      private

      def serve(text)
        reply = PuppetRepl.serve(text[1..])
        note_random_numbers
        CHANNEL.syswrite("D#{reply}\n")
      end

      # Let the engine know that code has used random numbers, by asking it for one: their generator
      # is in this Ruby, and has a twin that does the same as long as nobody else uses it.
      def note_random_numbers
        return if @twin.nil? || (Random.seed == @twin.seed && Random.bytes(8) == @twin.bytes(8))

        @twin = nil
        Random.urandom(1)
      end

      def receive
        text = CHANNEL.sysread(SHORT)
        text << CHANNEL.sysread(LONG) until text.end_with?("\n")
        text.force_encoding(Encoding::UTF_8)
      end
    end
  end
end

# Ruby as WebAssembly has methods for processes that do nothing, or fail with unclear messages.
module Kernel
  %i[` abort exec exit exit! fork spawn system trap].each do |name|
    define_method(name) do |*arguments, **|
      given = arguments.first.is_a?(String) ? "#{name}(#{arguments.first})" : name
      given = "`#{arguments.first}`" if name == :`
      PuppetRepl::Sandbox.refuse(given)
    end
    module_function name
  end
end

[[Process, %i[abort daemon detach exec exit exit! fork kill spawn wait wait2 waitpid]],
 [IO, %i[pipe popen]], [Thread, %i[new start fork]], [Signal, %i[trap]]].each do |owner, names|
  names.each do |name|
    owner.define_singleton_method(name) do |*, **|
      PuppetRepl::Sandbox.refuse("#{owner}.#{name}")
    end
  end
end

# The limit of time is that of the engine; there are no threads to watch another one.
require 'timeout'
module Timeout
  def timeout(seconds, *)
    yield seconds
  end
  module_function :timeout
end

# Files have no owners, modes and locks here. Setting those of a file that code has made does nothing, and
# any other file may not be changed.
class File
  class << self
    def chmod(_mode, *paths)
      utime(nil, nil, *paths)
    end

    def chown(_owner, _group, *paths)
      utime(nil, nil, *paths)
    end
    alias lchmod chmod
    alias lchown chown
  end

  def chmod(_mode)
    0
  end

  def chown(_owner, _group)
    0
  end

  # Nobody else has the file.
  def flock(_operation)
    0
  end
end

# Such a message names the file; what is wrong with it would stay a riddle.
module PuppetRepl
  module Sandbox
    # Says why a file cannot be opened.
    module Hint
      def to_s
        "#{super} (Ruby code of modules may read files of modules only, and write only to files " \
          'in memory, below /tmp and /opt/puppetlabs/puppet/cache)'
      end
    end
    Errno::EACCES.prepend(Hint)
    Errno::EROFS.prepend(Hint)
  end
end

$LOAD_PATH.push(File.join(__dir__, 'sandbox'))
# What Puppet itself has loaded, and the files of the shim that wait for their first request: here
# they are a part of the snapshot.
%w[base64 bigdecimal date digest erb fileutils ipaddr json net/http openssl ostruct pathname resolv
   securerandom set shellwords strscan time tmpdir tempfile uri yaml].each { |name| require name }
PuppetRepl::LATE.each_value { |name| require_relative name }
$stdout.sync = true
PuppetRepl::Host.primitive = PuppetRepl::Sandbox.method(:ask)

require_relative 'sandbox/tls'
require_relative 'local_time'
require_relative 'core_guard'

# The collector of garbage would read the clock, and only replies without that are kept.
GC.measure_total_time = false

# Here Ruby keeps its warnings to itself until all is loaded; with Puppet `warn` prints.
$VERBOSE = false
