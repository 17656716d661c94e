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

    # Return the file of a module for something that is called like a part of Puppet, nil where
    # there is none. A Puppet that is installed beside this Ruby must not be found.
    def module_file(name)
      file = name.end_with?('.rb') ? name : "#{name}.rb"
      directory = @libraries.find { |path| File.file?(File.join(path, file)) }
      directory && File.join(directory, file)
    end

    # What takes the place of a file that cannot be required; nil where nothing does.
    def stand_in(name)
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
    plain = name.to_s
    if plain.match?(PuppetRepl::OF_PUPPET)
      file = PuppetRepl.module_file(plain)
      return file ? puppet_repl_require(file) : false
    end
    begin
      puppet_repl_require(name)
    rescue LoadError => e
      raise unless e.path.nil? || e.path == plain

      found = PuppetRepl.stand_in(plain)
      raise if found.nil?

      found
    end
  end
  private :require

  class << self
    def require(name)
      Object.new.send(:require, name)
    end
  end
end
