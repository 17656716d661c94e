# @summary A plan.
# @param text The text.
plan layers::plan(String $text) {
}
