# @summary Runs the shop.
#
# The shop has *shelves* and a `till`:
#
# * one
#   * two
#
#     code of the list
#
# | a | b |
# |---|---|
# | 1 | 2 |
#
# @note It opens at nine.
# @note It closes at five.
# @todo Sell more.
# @since 1.0.0
# @version 2
# @author Ann <ann@example.com>
# @see https://example.com/shop More about it
# @see shop::shelf
# @see
# @api public
# @abstract not really
#
# @example Plain
#   include shop
#
#   # and more
#     indented
# @example   With   a title
#   class { 'shop':
#     name => 'x',
#   }
# @example
#   no_title()
#
# @param goods
#   What is sold,
#   in two lines.
#
#   A second paragraph.
#
#       code
#
#   * list
# @param prices [Hash] What it costs
# @param opening One line
# @param options All of it
# @option options [String] :colour The colour
# @option options [Array<String>, String] :sizes (small) The sizes
#   over lines
# @option options plain nothing
# @param mode
# @enum mode slow Take your time
# @enum mode fast Be quick
#   about it
# @param $dollar not the name
# @param [Integer] count Before the name
# @param nothing_else
class shop (
  Array[String[1]]            $goods    = ['apple', "pear ${1 + 1}"],
  Hash[String, Numeric]       $prices   = { 'apple' => 1.5 }, # a comment
  # above the next
  Optional[Variant[
    String, # or
    Integer
  ]] $opening = undef,
  Hash $options = {
    'a' => 1,
    'b' => [1, 2],
  },
  Enum['slow', 'fast'] $mode = $facts['os'] ? { 'x' => 'slow', default => 'fast' },
  Integer $dollar = (1 + 2) * 3,
  $count = -1,
  $nothing_else,
  String $text = @("EOT"/L),
    A text with ${goods} in it
    over lines.
    | EOT
  Boolean $open = ($mode == 'fast'),
  Boolean $shut = !($mode == 'fast') and ($count > 1),
  $called = shop::price('x', [1, 2]) |$a| { $a },
  $method = $goods.map |$x| { $x }.join(','),
  $access = $facts['a']['b'],
  $regex = /^a\/b$/,
  $type = Integer[1, 2],
  $nested = [{ a => (1) }],
  $if = if true { 1 } else { 2 },
  $unless = unless true { 1 } else { 2 },
  $case = case 1 { 1: { 2 } default: { 3 } },
) inherits shop::params {
  notify { 'x': }
}
