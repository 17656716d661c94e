# Puppet::LookupContext, which functions get that provide data for lookup().

module Puppet
  class LookupContext < Pops::Types::HostObject
    @files = {}

    class << self
      # Contents of files, or what blocks have made of them, with the time of the last change.
      attr_reader :files
    end

    %w[cache cache_has_key cached_value environment_name interpolate module_name].each do |name|
      define_method(name) { |*arguments| member(name, arguments) }
    end

    def cache_all(entries)
      member('cache_all', [entries])
      nil
    end

    def cached_entries(&block)
      entries = member('cached_entries', [])
      return entries.each unless block

      entries.each { |key, value| block.arity == 2 ? yield(key, value) : yield([key, value]) }
      nil
    end

    def cached_file_data(path)
      path = path.to_s
      known = LookupContext.files[path]
      changed = PuppetRepl::Host.ask('file_text', path: path, known: known && known[0])
      if changed
        text = changed[1]
        known = LookupContext.files[path] = [changed[0], block_given? ? yield(text) : text]
      end
      known[1]
    end

    def explain
      member('explain_text', [yield.to_s]) if member('explaining', [])
      nil
    end

    def not_found
      throw :no_such_key
    end

    private

    def member(name, arguments)
      PuppetRepl::Host.ask('member', value: to_host, name: name, args: PuppetRepl::Values.encode(arguments))
    end
  end
end

PuppetRepl::Values::OBJECT_CLASSES['Puppet::Pops::Lookup::Context'] = Puppet::LookupContext
