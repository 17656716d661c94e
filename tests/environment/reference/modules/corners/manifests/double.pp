# @summary second definition
# Text of the second.
# @param zz Z
class corners::twice ($zz = 3) { }
