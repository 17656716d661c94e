# @overload crashes::overloaded(a)
#   @param a without a type
function crashes::overloaded($a) { }
