# What Puppet has loaded of Ruby's library, so that code of modules does without `require`. Here it
# is loaded when it is first used: most code uses none of it.

{
  Base64: 'base64', Benchmark: 'benchmark', CGI: 'cgi', Date: 'date', DateTime: 'date', Delegator: 'delegate',
  Digest: 'digest', ERB: 'erb', Etc: 'etc', FileUtils: 'fileutils', Find: 'find', Forwardable: 'forwardable',
  IPAddr: 'ipaddr', Logger: 'logger', Monitor: 'monitor', Open3: 'open3', OpenSSL: 'openssl',
  OpenStruct: 'ostruct', OptionParser: 'optparse', Pathname: 'pathname', Psych: 'psych', Resolv: 'resolv',
  SecureRandom: 'securerandom', Set: 'set', SimpleDelegator: 'delegate', Singleton: 'singleton',
  Socket: 'socket', StringIO: 'stringio', StringScanner: 'strscan', TSort: 'tsort', Tempfile: 'tempfile',
  Timeout: 'timeout', URI: 'uri', YAML: 'yaml', Zlib: 'zlib'
}.each do |name, file|
  Object.autoload(name, file) unless Object.const_defined?(name)
end

# Modules compare versions with it, and rubygems as a whole is not loaded.
unless defined?(Gem)
  module Gem
    autoload :Version, 'rubygems/version'
    autoload :Requirement, 'rubygems/requirement'
  end
end

module PuppetRepl
  # Methods that the library adds to classes of Ruby itself: the first call of one loads its file.
  module Library
    def self.on_call(owner, names, file)
      names.each do |name|
        next if owner.method_defined?(name)

        owner.define_method(name) do |*arguments, **options, &block|
          owner.send(:remove_method, *names)
          require file
          public_send(name, *arguments, **options, &block)
        end
      end
    end
  end

  Library.on_call(Object, %i[to_yaml], 'yaml')
  Library.on_call(Time.singleton_class, %i[parse strptime iso8601 xmlschema rfc2822 httpdate], 'time')
  Library.on_call(Time, %i[iso8601 xmlschema rfc2822 httpdate to_date to_datetime], 'time')
  Library.on_call(Enumerable, %i[to_set], 'set')
end
