# The settings of the installed Puppet for all measurements, with folders of its own.
require 'json'
require 'puppet'
require 'puppet_pal'
require 'tmpdir'

folder = Dir.mktmpdir
at_exit { FileUtils.remove_entry(folder) }
Puppet.initialize_settings(['--confdir', folder, '--vardir', folder])
Puppet[:strict] = :error
Puppet[:strict_variables] = true
Puppet::Util::Log.level = :err
