# CPU seconds and peak memory of the installed Puppet for site.pp in a directory, as a JSON object; modules are
# below "modules". The process compiles it once, after warm.pp. "empty" is the memory in bytes before that, "peak"
# the highest at the end.
require_relative 'settings'

def memory(field)
  File.read('/proc/self/status')[/^#{field}:\s*(\d+)/, 1].to_i * 1024
end

def compile(name)
  path = File.join(ARGV[0], name)
  text = File.read(path)
  Puppet::Pal.in_tmp_environment('bench', modulepath: [File.join(ARGV[0], 'modules')], facts: {}) do |environment|
    environment.with_catalog_compiler do |compiler|
      empty = memory('VmRSS')
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      compiler.evaluate_string(text, path)
      compiler.compile_additions
      seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
      return seconds, empty, compiler.send(:internal_compiler).catalog.resources.size
    end
  end
end

compile('warm.pp')
GC.start
seconds, empty, count = compile('site.pp')
puts JSON.generate('seconds' => seconds, 'empty' => empty, 'peak' => memory('VmHWM'), 'resources' => count)
