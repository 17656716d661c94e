# The shim in a process of its own: lines of JSON on standard input and output.
#
# A line from the interpreter begins with R (a request) or A (an answer to a question); a line to it
# with Q (a question) or D (done: the reply to the innermost request).

input = $stdin.dup
output = $stdout.dup
[input, output].each { |stream| stream.set_encoding(Encoding::UTF_8) }
input.close_on_exec = output.close_on_exec = true
output.sync = true
$stdin.reopen(File::NULL)
$stdout.reopen($stderr)

require_relative 'main'

# Here a library that is missing may be a gem. To load what finds them takes a while.
def PuppetRepl.add_library(_name)
  require 'rubygems' # it is false if that was done
end

serve = lambda do |line|
  output.write('D', PuppetRepl.serve(line[1..]), "\n")
end

PuppetRepl::Host.primitive = lambda do |question|
  output.write('Q', question, "\n")
  loop do
    line = input.gets or exit!(0)
    break line[1..] if line.start_with?('A')

    serve.call(line)
  end
end

# A process whose interpreter is gone must not go on.
parent = Process.ppid
Thread.new do
  sleep 1 while Process.ppid == parent
  exit!(1)
end

# With Puppet `warn` prints.
$VERBOSE = false

while (line = input.gets)
  serve.call(line)
end
exit!(0)
