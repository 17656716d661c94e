# @summary Render an EPP template, on the agent if any of its values are deferred.
#
# The template gets the variables that it is given here and no others: on the agent there are no
# facts of the scope and no variables of the class that calls. Only the values of the hash itself
# are looked at, not those further in.
#
# @param template
#   The template, as epp() takes it.
# @param variables
#   The parameters of the template.
function stdlib::deferrable_epp(String $template, Hash $variables) >> Variant[String, Deferred] {
  if $variables.any |$_, $value| { $value =~ Deferred } {
    Deferred('inline_epp', [find_template($template).file, $variables])
  } else {
    epp($template, $variables)
  }
}
