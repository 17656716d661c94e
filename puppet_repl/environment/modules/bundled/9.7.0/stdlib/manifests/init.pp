# @summary Declare the classes of this module: the run stages, and resources from data.
#
# Nothing else of the module needs this class.
class stdlib {
  include stdlib::manage
  include stdlib::stages
}
