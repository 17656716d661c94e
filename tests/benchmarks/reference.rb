# CPU seconds of the installed Puppet for each manifest named, best of three, as one JSON object.
require_relative 'settings'

def spent
  start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
end

def evaluate(path, text)
  seconds = nil
  Puppet::Pal.in_tmp_environment('bench', modulepath: [], facts: {}) do |environment|
    environment.with_catalog_compiler do |compiler|
      seconds = spent do
        compiler.evaluate_string(text, path)
        compiler.compile_additions
      end
    end
  end
  seconds
end

answer = ARGV.to_h do |path|
  text = File.read(path)
  [File.basename(path, '.pp'), Array.new(3) { evaluate(File.expand_path(path), text) }.min]
end
puts JSON.generate(answer)
