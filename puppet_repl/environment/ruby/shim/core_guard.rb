# Code of modules may add methods to classes of Ruby itself, and cannot replace those that are there:
# the shim and all other modules run in the same Ruby. What was replaced is restored, then the code
# gets an error.

module PuppetRepl
  # Watches the definitions of methods and constants; protects what exists when it is installed.
  module CoreGuard
    class Redefinition < StandardError
    end

    OWNERS = [
      BasicObject, Object, Kernel, Module, Class, Comparable, Enumerable, String, Symbol, Numeric,
      Integer, Float, Rational, Complex, Array, Hash, Range, NilClass, TrueClass, FalseClass, Proc,
      Method, UnboundMethod, Regexp, MatchData, Exception, Time, IO, File, Dir, FileTest, Struct,
      Enumerator, Random, Encoding, Math, GC, ObjectSpace, Process, Marshal, Set, JSON
    ].freeze
    # Whose definitions are those of Ruby's library and of the shim.
    TRUSTED = [RbConfig::CONFIG['rubylibprefix'], __dir__].freeze

    # What has to work while the method that was replaced may be one of these.
    LOOK_UP = Hash.instance_method(:[])
    SAME = UnboundMethod.instance_method(:==)
    FIND = Module.instance_method(:instance_method)
    DEFINE = Module.instance_method(:define_method)
    HIDE = Module.instance_method(:private)
    REMOVE_CONSTANT = Module.instance_method(:remove_const)

    @methods = {}.compare_by_identity
    @hidden = {}.compare_by_identity
    @constants = {}

    class << self
      def install
        OWNERS.each { |owner| [owner, owner.singleton_class].each { |each| remember(each) } }
        Object.constants.each do |name|
          next if Object.autoload?(name)

          value = Object.const_get(name)
          @constants[name] = value if value.is_a?(Module)
        end
        OWNERS.each { |owner| owner.singleton_class.prepend(Hooks) }
        Object.singleton_class.prepend(Constants)
      end

      # A method of an owner was defined, removed or undefined.
      def changed(owner, name)
        table = LOOK_UP.bind_call(@methods, owner) or return
        original = LOOK_UP.bind_call(table, name) or return
        current = find(owner, name)
        return if current && SAME.bind_call(current, original)

        DEFINE.bind_call(owner, name, original)
        HIDE.bind_call(owner, name) if LOOK_UP.bind_call(LOOK_UP.bind_call(@hidden, owner), name)
        refuse(label(owner, name)) unless trusted?

        table.delete(name)
        current ? owner.define_method(name, current) : owner.remove_method(name)
      end

      def constant_added(name)
        original = @constants[name] or return
        return if Object.const_get(name).equal?(original)
        return @constants.delete(name) if trusted?

        REMOVE_CONSTANT.bind_call(Object, name)
        Object.const_set(name, original)
        refuse(name)
      end

      def removing_constant(name)
        refuse(name) if @constants.key?(name.to_sym) && !trusted?
      end

      def prepending(owner, modules)
        known = @methods[owner]
        return if known.nil? || trusted?

        names = modules.flat_map { |each| each.instance_methods(false) + each.private_instance_methods(false) }
        name = names.find { |each| known.key?(each) }
        refuse(label(owner, name)) if name
      end

      private

      def remember(owner)
        hidden = owner.private_instance_methods(false)
        names = owner.instance_methods(false) + hidden
        @methods[owner] = names.to_h { |name| [name, owner.instance_method(name)] }
        @hidden[owner] = hidden.to_h { |name| [name, true] }
      end

      def find(owner, name)
        FIND.bind_call(owner, name)
      rescue NameError
        nil
      end

      def trusted?
        place = caller_locations(2).find { |each| each.path != __FILE__ && !each.path.start_with?('<internal') }
        place.nil? || TRUSTED.any? { |directory| place.path.start_with?(directory) }
      end

      def label(owner, name)
        return "#{owner}##{name}" unless owner.singleton_class?

        "#{owner.inspect[/\A#<Class:(.*)>\z/m, 1]}.#{name}"
      end

      def refuse(what)
        raise Redefinition, "Ruby code of modules may not redefine #{what} here"
      end
    end

    # Of each owner.
    module Hooks
      %i[method_added method_removed method_undefined].each do |event|
        define_method(event) do |name|
          CoreGuard.changed(self, name)
          super(name)
        end
      end

      %i[singleton_method_added singleton_method_removed singleton_method_undefined].each do |event|
        define_method(event) do |name|
          CoreGuard.changed(singleton_class, name)
          super(name)
        end
      end

      def prepend(*modules)
        CoreGuard.prepending(self, modules)
        super
      end
    end

    # Of Object: replaced and removed constants, and only those of the top level.
    module Constants
      def const_added(name)
        CoreGuard.constant_added(name) if equal?(Object)
        super
      end

      private

      def remove_const(name)
        CoreGuard.removing_constant(name) if equal?(Object)
        super
      end
    end
  end
end

PuppetRepl::CoreGuard.install
