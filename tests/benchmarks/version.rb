# The version of the Puppet on the load path.
require 'puppet/version'
puts Puppet.version
