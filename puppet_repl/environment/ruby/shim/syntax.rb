# The syntax of Ruby code and of ERB templates. It is only compiled: nothing runs.

require 'erb'

module PuppetRepl
  # Finds the errors of the parser of Ruby.
  module Syntax
    PLACE = /^syntax:(\d+): (.*)$/.freeze

    class << self
      # Return the errors in a text: their lines, messages and, in Ruby code, columns.
      #   text  the text
      #   erb   whether it is a template
      def check(request)
        text = request['text']
        return errors(text, text) unless request['erb']

        # Templates of Puppet are evaluated in a method, where a bit more is allowed; the first line
        # of what ERB makes sets an encoding.
        source = ERB.new(text, trim_mode: '-').src
        found = errors(source, nil, 0)
        found.empty? || errors("def a; #{source.sub("\n", ";\n")}\nend", nil, 0).empty? ? [] : found
      end

      private

      def errors(source, shown, line = 1)
        RubyVM::InstructionSequence.compile(source, 'syntax', 'syntax', line)
        []
      rescue SyntaxError => e
        lines = e.message.lines(chomp: true)
        lines.each_with_index.filter_map do |each, index|
          next unless (found = PLACE.match(each))

          [found[1].to_i, found[2], column(lines[index + 1, 2], shown, found[1].to_i)]
        end
      end

      # Return the column of an error, if the message has the whole line and a mark below it.
      def column(below, text, line)
        return unless text && below.size == 2 && text.lines(chomp: true)[line - 1] == below[0]

        mark = below[1].index('^')
        mark && mark + 1
      end
    end
  end

  on('syntax') { |request| Syntax.check(request) }
end
