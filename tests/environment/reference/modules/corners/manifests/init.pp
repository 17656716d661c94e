# frozen text
# @summary	With a tab
# @param a [Variant[String, Array[String]]] One, two
# @param b [Enum['a,b', "c"]] Quotes
# @param c it's a name with 'quotes'
# @param d [String, Integer] two types
# @param [Hash{Symbol => String}] e Ruby's
# @param f (String) parentheses
# @param g <String> angle
# @param h
#
#   After a blank line.
#
#
#   After two.
#     Deeper.
#  Less deep: text
# @param i [unclosed text
# @param j closed] text
# @param [String]
# @return [String] of a class
# @return the text it's not a type
# @return it's no type
# @example With text
#
#   after a blank
#
#   end
# @example Only a title
# @example
# @see {Foo::Bar}
# @see http://example.com
# @unknown tag
# @param: no tag
# @foo.bar dots
# @!group directive
# @!nope unknown directive
# @api  private 
# @deprecated
# @note
# @since
# @option a b
# @option a [String] :key The text (default)
# @option a :key (default) The text
# @option a :key
# @raise text without type
# @raise [Error, Other] two
# @yield [a] x
# @author
# @todo a
#   b
# @version [1] x
# @private
# @abstract
class corners($a, $b = {}, $c = [], $d = undef, $e = default) { }
