# @summary A class in it.
# @param text The text.
class layers::inner (String $text) inherits layers {
}
