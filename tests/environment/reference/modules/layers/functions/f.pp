# @summary A function.
# @param text The text.
# @return [String] the text
function layers::f(String $text) >> String {
  $text
}
