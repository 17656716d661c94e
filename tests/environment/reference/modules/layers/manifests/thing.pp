# @summary A defined type, which gets no value from data.
# @param text The text.
define layers::thing (String $text) {
}
