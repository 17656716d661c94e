# What "require" and "load" find: Ruby's own library, then the lib directories of modules; and what
# of Puppet is in the shim counts as loaded.

module PuppetRepl
  # Parts of Puppet. A constant of it that nobody has defined says so when it is used.
  OF_PUPPET = %r{\A(?:puppet|facter|puppet_pal|semantic_puppet|puppet/.+|facter/.+|semantic_puppet/.+|pp)(?:\.rb)?\z}.freeze
  # Ruby's library where a sandbox lacks it, and what of Puppet is not loaded by itself, by file.
  STAND_INS = { 'socket' => 'socket_constants', 'socket.so' => 'socket_constants', 'puppet_x' => 'puppet_x' }.freeze

  @found = {}
  @libraries = []

  class << self
    # Return the directories of the libraries outside of Ruby's own that code may have used.
    def libraries
      Gem.respond_to?(:path) ? Gem.path : @libraries
    end

    # Return the file of a module that has a name to be required, nil where there is none. The
    # interpreter searches the lib directories of all modules: in a sandbox that would take long.
    def library_file(name)
      return nil if name.start_with?('/', '.', '~')

      file = name.end_with?('.rb') ? name : "#{name}.rb"
      @found[file] ||= Host.ask('library_file', name: file)
    end

    # Let Ruby find the files of a library that comes with Puppet's Ruby; tell whether there is one.
    def add_library(name)
      directory = Host.ask('library', name: name.end_with?('.rb') ? name : "#{name}.rb")
      return false if directory.nil? || $LOAD_PATH.include?(directory)

      $LOAD_PATH.push(directory)
      @libraries << directory
      true
    end

    def forget_libraries
      @found.clear
    end

    # What takes the place of a file that cannot be required; nil where nothing does.
    def stand_in(name)
      file = STAND_INS[name]
      file && require_relative(file)
    end
  end

  on_begin { forget_libraries }
end

module Kernel
  alias puppet_repl_require require

  def require(name)
    plain = name.to_s
    if plain.match?(PuppetRepl::OF_PUPPET)
      file = PuppetRepl.library_file(plain)
      return file ? puppet_repl_require(file) : false
    end
    begin
      puppet_repl_require(name)
    rescue LoadError => e
      raise unless e.path.nil? || e.path == plain

      file = PuppetRepl.library_file(plain)
      return puppet_repl_require(file) if file

      found = PuppetRepl.stand_in(plain)
      return found unless found.nil?

      raise unless PuppetRepl.add_library(plain)

      require(name)
    end
  end
  private :require

  alias puppet_repl_load load

  def load(name, wrap = false)
    puppet_repl_load(name, wrap)
  rescue LoadError => e
    file = e.path == name.to_s && PuppetRepl.library_file(name.to_s)
    raise unless file

    puppet_repl_load(file, wrap)
  end
  private :load

  class << self
    def require(name)
      Object.new.send(:require, name)
    end

    def load(name, wrap = false)
      Object.new.send(:load, name, wrap)
    end
  end
end
