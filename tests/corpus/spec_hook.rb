# Loaded by rspec before Puppet's own specs: writes each text that they parse, evaluate or compile to the file PROGRAMS, a
# JSON object a line: {"mode", "code"}, with the modes of programs_referee.rb.
require 'json'
require 'puppet'
require 'puppet/pops'
require 'puppet/parser'
require 'puppet_pal'

module Seen
  FILE = File.open(ENV.fetch('PROGRAMS'), 'a')
  TEXTS = {} # rubocop:disable Style/MutableConstant

  def self.keep(mode, text)
    return unless text.is_a?(String)

    line = JSON.generate({ 'mode' => mode, 'code' => text.dup.force_encoding(Encoding::UTF_8) })
    return if TEXTS[line]

    TEXTS[line] = true
    FILE.puts(line)
    FILE.flush
  rescue JSON::GeneratorError
    nil # not UTF-8
  end
end

module SeenParsed
  def parse_string(text, *)
    Seen.keep(is_a?(Puppet::Pops::Parser::EppParser) ? 'epp' : 'parse', text)
    super
  end

  def parse_file(path, *)
    if File.file?(path)
      Seen.keep(is_a?(Puppet::Pops::Parser::EppParser) ? 'epp' : 'parse', File.read(path, encoding: 'UTF-8'))
    end
    super
  end
end

module SeenEvaluated
  def evaluate_string(*arguments)
    Seen.keep('eval', arguments.find { |argument| argument.is_a?(String) })
    super
  end
end

# The notation of types is that of programs.
module SeenType
  def parse(text, *)
    Seen.keep('eval', text)
    super
  end
end

module SeenCompiled
  def compile
    Seen.keep('catalog', Puppet[:code])
    super
  end
end

Puppet::Pops::Parser::Parser.prepend(SeenParsed)
Puppet::Pops::Parser::EvaluatingParser.prepend(SeenEvaluated)
Puppet::Pal::Compiler.prepend(SeenEvaluated)
Puppet::Pops::Types::TypeParser.prepend(SeenType)
Puppet::Parser::Compiler.prepend(SeenCompiled)
