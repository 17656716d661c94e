# @summary with
# @param a
#   two lines
#   of text
class corners::crlf($a = { x => 1 }) { }
