# Stands in for programs of the server: the same output for the same arguments.
function stand_in::generate(String *$arguments) >> String {
  "output of ${arguments.join(' ')}\n"
}
