# @summary Render an EPP template, on the agent if any of its values are deferred.
#
# The template gets the variables that it is given here and no others: on the agent there are no
# facts of the scope and no variables of the class that calls.
#
# @param template
#   The template, as epp() takes it.
# @param variables
#   The parameters of the template.
function stdlib::deferrable_epp(String $template, Hash $variables) >> Variant[String, Sensitive[String], Deferred] {
  $values = stdlib::nested_values($variables)
  if $values.any |$value| { $value =~ Deferred } {
    $text = find_template($template).file
    Deferred('inline_epp', [$text, $variables])
  } else {
    epp($template, $variables)
  }
}
