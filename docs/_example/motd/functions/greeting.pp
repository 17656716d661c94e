# @summary The first line.
# @param host The name of the machine.
# @return one line, without an end
function motd::greeting(String[1] $host) >> String {
  "Welcome to ${host}"
}
