# @summary Declare resources from a hash, which may come from Hiera.
#
# For a few plain resources that would need a module of their own otherwise. Values are taken as
# they are: functions are not evaluated in them. The content of a file may come from a template,
# though, which the attributes epp and erb name.
#
# Relationships are written as texts without inner quotes: 'Service[sshd]'.
#
# @example Resources in Puppet
#   class { 'stdlib::manage':
#     create_resources => {
#       'package' => {
#         'vim' => {
#           'ensure' => 'installed',
#         },
#       },
#       'file'    => {
#         '/etc/motd'    => {
#           'ensure' => 'file',
#           'epp'    => {
#             'template' => 'profile/motd.epp',
#             'context'  => { 'color' => 'green' },
#           },
#         },
#         '/etc/issue'   => {
#           'ensure' => 'file',
#           'erb'    => {
#             'template' => 'profile/issue.erb',
#           },
#         },
#         '/etc/contact' => {
#           'content' => 'ops@example.com',
#           'notify'  => 'Service[sshd]',
#         },
#       },
#     },
#   }
#
# @example A class of a module, which is declared with its parameters
#   class { 'stdlib::manage':
#     create_resources => { 'class' => { 'ntp' => { 'servers' => ['a', 'b'] } } },
#   }
#
# @example Resources in Hiera
#   stdlib::manage::create_resources:
#     package:
#       vim:
#         ensure: installed
#     file:
#       /etc/motd:
#         ensure: file
#         epp:
#           template: profile/motd.epp
#           context:
#             color: green
#       /etc/issue:
#         ensure: file
#         erb:
#           template: profile/issue.erb
#       /etc/contact:
#         content: ops@example.com
#         notify: Service[sshd]
#
# @param create_resources
#   Hashes of attributes by type and title, as create_resources() takes them.
#   The attributes epp and erb are hashes as well, with the key template; epp may have the key
#   context, with the parameters of the template. Only one of content, epp and erb may be there.
class stdlib::manage (
  Hash[String, Hash] $create_resources = {}
) {
  $exclusive = [['epp', 'content'], ['erb', 'content'], ['erb', 'epp']]

  $create_resources.each |$type, $resources| {
    $resources.each |$title, $attributes| {
      case $type {
        'file': {
          $exclusive.each |$pair| {
            if $pair[0] in $attributes and $pair[1] in $attributes {
              fail("You can not set '${pair[0]}' and '${pair[1]}' for file ${title}")
            }
          }
          $engine = ['epp', 'erb'].filter |$name| { $name in $attributes }[0]
          if $engine {
            $settings = $attributes[$engine]
            unless 'template' in $settings {
              fail("No template configured for ${engine} for file ${title}")
            }
          }
          # Templates are rendered here, where their errors are those of
          # the resource that wanted them.
          $content = $engine ? {
            'epp'   => 'context' in $settings ? {
              true    => epp($settings['template'], $settings['context']),
              default => epp($settings['template']),
            },
            'erb'   => template($settings['template']),
            default => $attributes['content'],
          }
          # The two names of engines are no attributes of files, and the
          # content, which may have been given, is set by this class.
          file { $title:
            *       => $attributes - ['epp', 'erb', 'content'],
            content => $content,
          }
        }
        # Everything else is declared as it was given.
        #
        # A title may be declared in one place only, so an entry that is in the catalog already is
        # an error, as anywhere else. Use ensure_resources() for resources that several classes
        # want.
        #
        default: {
          create_resources($type, { $title => $attributes })
        }
      }
    }
  }
}
