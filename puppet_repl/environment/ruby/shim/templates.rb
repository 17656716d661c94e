# ERB templates: what they see, and how they are rendered.

require 'erb'

module Puppet
  module Parser
    # What a template's code runs in: its methods are those of the template, its instance
    # variables those of the calling scope.
    class TemplateWrapper
      include Puppet::Logging

      def initialize(scope, file = nil)
        @__scope__ = scope
        @__file__ = file if file
      end

      # The path of the template, nil for that of inline_template().
      def file
        @__file__
      end

      def scope
        @__scope__
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def classes
        scope.catalog.classes
      end

      def tags
        raise NotImplementedError, "Call 'all_tags' instead."
      end

      def all_tags
        scope.catalog.tags
      end

      def file=(name)
        @__file__ = Files.find_template(name) or raise Puppet::ParseError, "Could not find template '#{name}'"
      end

      # Render a text, or the file, with all variables of the scope.
      def result(string = nil)
        string ||= Puppet::FileSystem.read_preserve_line_endings(@__file__)
        scope.to_hash.each { |name, value| instance_variable_set("@#{name}", value) }
        PuppetRepl::Templates.run(self, string, @__file__)
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      # Ruby shows this in its messages: a dump of all variables would hide what they say.
      def inspect
        '#<Puppet::Parser::TemplateWrapper>'
      end

      private

      # Evaluate the code of a template in this object, with the local variables of Puppet's method.
      def __evaluate__(string)
        template = template_source = escaped_template_source = result = nil
        eval(string, binding, file || '(erb)', 0) # rubocop:disable Security/Eval
      end
    end
  end
end

module PuppetRepl
  # Rendering. The code of a template becomes a method of TemplateWrapper, once; code with what
  # Ruby refuses in a method (constants, classes) is evaluated each time.
  module Templates
    LIBRARY = File.dirname(ERB.instance_method(:result).source_location.first).freeze
    MAX_KEPT = 500
    LOCALS = 'string = template = template_source = escaped_template_source = result = nil'.freeze

    @kept = {}
    @fixed = {}

    class << self
      # Return the text that a template makes:
      #   text, s    its source, the number of the scope that renders it
      #   file, name of a template in a file: its path, and what the program calls it
      #   vars       the variables that it can read, by name
      #   shared     the numbers of those that are arrays and hashes
      #   strings    the strings of these that are frozen, if that may count
      #   fixed      those of them that never change: the numbers of their values
      #   order      all names, where it matters
      def render(request)
        file = request['file']
        wrapper = Puppet::Parser::TemplateWrapper.new(Puppet::Parser::Scope.at(request['s']), file)
        bind(wrapper, request)
        run(wrapper, Values.decode(request['text']), file).to_s
      rescue StandardError => e
        raise Puppet::ParseError, message(e, request['name'], file)
      end

      # Return what the code of a template makes in a wrapper that has its variables.
      def run(wrapper, text, file)
        @kept.clear if @kept.size > MAX_KEPT
        made = @kept[text] ||= {}
        program = made[file] ||= compile(text, file)
        program.is_a?(String) ? wrapper.send(:__evaluate__, program) : program.bind_call(wrapper)
      end

      def forget_fixed
        @fixed.clear
      end

      # Return a value that is fetched only once: a fact. They are frozen in Puppet too.
      def fixed(number)
        @fixed.fetch(number) { @fixed[number] = Values.freeze(Host.ask('fixed_value', number: number)) }
      end

      private

      def bind(wrapper, request)
        variables = Values.decode(request['vars'])
        request['fixed']&.each { |name, number| variables[name] = fixed(number) }
        request['strings']&.each { |name, texts| Values.freeze_equal(variables[name], texts) }
        request['shared']&.each { |name, number| variables[name] = Shared.value(number, variables[name]) }
        (request['order'] || variables.keys).each do |name|
          wrapper.instance_variable_set("@#{name}", variables[name])
        end
      end

      def compile(text, file)
        source = ERB.new(text, trim_mode: '-').src
        begin
          method(source, file)
        rescue SyntaxError
          source
        end
      end

      # Return the method that the code becomes. It is called as Puppet's, and that one is put back.
      # The comments at its beginning stay first: they set the encoding of the literals.
      def method(source, file)
        wrapper = Puppet::Parser::TemplateWrapper
        usual = wrapper.instance_method(:result)
        body = source.sub('_erbout = ') { "def result; #{LOCALS}; #{$&}" }
        wrapper.class_eval("#{body}\nend", file || '(erb)', 0)
        wrapper.instance_method(:result)
      ensure
        wrapper.define_method(:result, usual)
      end

      def message(error, name, file)
        return "Failed to parse inline template: #{error}" unless file

        path, line = place(error, file)
        "Failed to parse template #{name}:\n  Filepath: #{path}\n  Line: #{line}\n  Detail: #{error}\n"
      end

      # Return where an error began, in code that its reader knows: not the libraries of Ruby and of
      # Puppet's Ruby, nor what stands for Puppet here.
      def place(error, file)
        foreign = [__dir__, LIBRARY, '<internal:', *PuppetRepl.libraries]
        found = (error.backtrace || []).find { |line| !line.start_with?(*foreign) }
        found ? found.split(':') : [file, 1]
      end
    end
  end

  on_begin { Templates.forget_fixed }
  on('render') { |request| Templates.render(request) }
end
