# Documented return
# @param a
# @return nothing
function shop::returns(
  Callable[[String], Integer] $a,
) >> Undef { }
