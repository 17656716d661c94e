# What "require" finds: Ruby's own library, then the lib directories of modules; and what of Puppet
# is in the shim counts as loaded.

module PuppetRepl
  # Parts of Puppet. A constant of it that nobody has defined says so when it is used.
  OF_PUPPET = %r{\A(?:puppet|facter|puppet_pal|semantic_puppet|puppet/.+|facter/.+|semantic_puppet/.+|pp)(?:\.rb)?\z}.freeze
  # Ruby's library where a sandbox lacks it, by file of the shim.
  STAND_INS = { 'socket' => 'socket_constants', 'socket.so' => 'socket_constants' }.freeze

  @libraries = []

  class << self
    # Set the directories of modules.
    def libraries=(paths)
      $LOAD_PATH.reject! { |path| @libraries.include?(path) }
      @libraries = paths
      $LOAD_PATH.concat(paths)
    end

    # What takes the place of a file that cannot be required; nil where nothing does.
    def stand_in(name)
      return false if name.match?(OF_PUPPET)

      file = STAND_INS[name]
      file && require_relative(file)
    end
  end

  on('paths') do |request|
    self.libraries = request['v']
    nil
  end
end

module Kernel
  alias puppet_repl_require require

  def require(name)
    puppet_repl_require(name)
  rescue LoadError => e
    raise unless e.path.nil? || e.path == name.to_s

    found = PuppetRepl.stand_in(name.to_s)
    raise if found.nil?

    found
  end
  private :require

  class << self
    def require(name)
      Object.new.send(:require, name)
    end
  end
end
