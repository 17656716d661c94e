module Puppet::Parser::Functions
  newfunction(:old, type: :rvalue, arity: -2, doc: <<-DOC
    @summary An old one.

    Text with *stars*.

    @param a The a
    @param [Integer] b The b
    @return [String] something

    @example
      old(1)

    Another text.
    DOC
  ) do |args|
    raise 'x' if args.empty?
  end
end
