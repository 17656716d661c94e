# A shelf without a summary, of which the first line is longer than the one hundred and forty characters that the table of contents shows of it, is it not?
# Second line.
#
# @param goods
#   see `shop`
# @param unknown Nobody has it.
# @param title of the shelf
# @param name of the shelf
# @raise [Shop::Error] when it is full
# @raise Shop::Other if not
# @return [Integer] how many
# @deprecated Use a cupboard.
#
# @api private
#
# Text after the tags.
define shop::shelf (
  Array $goods,
  $untold = undef,
) {
}
