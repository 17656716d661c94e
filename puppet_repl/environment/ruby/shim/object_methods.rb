# Functions and derived attributes of Object types whose bodies are Ruby (the annotation RubyMethod).

module PuppetRepl
  module ObjectMethods
    # What Puppet puts an underscore before, because Ruby has another meaning for it.
    RESERVED = %w[
      alias begin break def do end ensure for module next nil not redo rescue retry return self super
      then until when while yield
    ].freeze

    @classes = {}

    class << self
      # Call a method of an object: 'class' describes its type, 'v' has the values of attributes.
      def call(request)
        object = class_of(request['class']).allocate
        Values.decode(request['v']).each do |name, value|
          object.instance_variable_set("@#{protect(name)}", value)
        end
        object.public_send(protect(request['name']), *Values.decode(request['a']))
      end

      def forget
        @classes.clear
      end

      private

      # {'attributes' => [name, ...], 'methods' => [[name, parameters, body], ...]}
      def class_of(description)
        @classes[description] ||= Class.new do
          attr_reader(*description['attributes'].map { |name| ObjectMethods.protect(name) })
          description['methods'].each do |name, parameters, body|
            class_eval("def #{ObjectMethods.protect(name)}(#{parameters})\n#{body}\nend")
          end
        end
      end

      public

      def protect(name)
        RESERVED.include?(name) ? "_#{name}" : name
      end
    end
  end

  on('object_method') { |request| ObjectMethods.call(request) }
  on_begin { ObjectMethods.forget }
end
