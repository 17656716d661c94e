# This comment stands apart.

class shop::apart($a = 1) { }
# @summary Directly above
  # indented
	# with a tab
##  two marks
#no blank
define shop::near($b) { }  # @summary behind
/* a block comment
 */
class shop::block { }
# @summary With CRLF? no
class shop::one($a, $b = 'x') {}  class shop::two {}
