# CPU seconds the Puppet on the load path takes to parse and validate the files named on its input.
require 'json'
require 'puppet'
require 'puppet/pops'
require 'tmpdir'

folder = Dir.mktmpdir
at_exit { FileUtils.remove_entry(folder) }
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder, '--strict', 'error'])
Puppet.push_context({ current_environment: Puppet::Node::Environment::NONE }, 'parsing')
Puppet::Util::Log.level = :emerg
texts = $stdin.each_line(chomp: true).map { |path| File.read(path, encoding: 'UTF-8') }
parser = Puppet::Pops::Parser::EvaluatingParser.new
seconds = Array.new(3) do
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  texts.each do |text|
    parser.parse_string(text)
  rescue Puppet::Error
    nil
  end
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
end
puts JSON.generate({ 'seconds' => seconds.min })
