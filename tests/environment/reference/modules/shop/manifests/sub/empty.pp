#
class shop::sub::empty {
  # @summary A class within a class
  # @param x It
  class inner($x) { }
}
