# frozen_string_literal: true

Puppet::Type.newtype(:file_line) do
  desc <<-TEXT
    A line of a text file.

    The whole line counts, with blanks at its beginning and end. A line that is missing is added at
    the end of the file, or after the line that `after` matches, or replaces the one that `match`
    matches:

        file_line { 'proxy':
          path  => '/etc/bashrc',
          line  => 'export HTTP_PROXY=http://proxy.example.com:3128',
          match => '^export HTTP_PROXY=',
        }

    With `ensure => absent` all lines that equal `line` are removed, or, if `match_for_absence` is
    true, the one that `match` matches. A file of the catalog with that path is required.
  TEXT

  ensurable do
    desc 'Whether the line is in the file.'
    defaultvalues
    defaultto :present
  end

  newparam(:name, namevar: true) do
    desc 'Any name for the resource.'
  end

  newparam(:match) do
    desc 'A regular expression of Ruby for the line to be replaced; it has to match the new line too.'
  end

  newparam(:match_for_absence) do
    desc 'Whether match says which line is removed.'
    newvalues(true, false)
    defaultto false
  end

  newparam(:multiple) do
    desc 'Whether match and after may match several lines. More than one is an error otherwise.'
    newvalues(true, false)
  end

  newparam(:after) do
    desc 'A regular expression for the line after which a missing line is added.'
  end

  # A property, not a parameter, so that its value may be Sensitive. It is always in sync: what has
  # to be done is decided by ensure.
  newproperty(:line) do
    desc 'The line.'

    def retrieve
      @resource[:line]
    end
  end

  newparam(:path) do
    desc 'The absolute path of the file.'
    validate do |value|
      next if Puppet::Util.absolute_path?(value)

      raise Puppet::Error, "File paths must be fully qualified, not '#{value}'"
    end
  end

  newparam(:replace) do
    desc 'Whether a line that matches is replaced.'
    newvalues(true, false)
    defaultto true
  end

  newparam(:replace_all_matches_not_matching_line) do
    desc 'Whether all lines that match are replaced even where the line is in the file already.'
    newvalues(true, false)
    defaultto false
  end

  newparam(:encoding) do
    desc 'The encoding of the file, by its name in Ruby.'
    defaultto 'UTF-8'
  end

  newparam(:append_on_no_match) do
    desc 'Whether the line is added where nothing matches.'
    newvalues(true, false)
    defaultto true
  end

  autorequire(:file) do
    self[:path]
  end

  validate do
    removes_match = self[:ensure].to_s == 'absent' && self[:match_for_absence].to_s == 'true' && self[:match]
    replaces_all = self[:replace_all_matches_not_matching_line].to_s == 'true'
    if replaces_all
      %w[multiple replace].each do |needed|
        next unless self[needed.to_sym].to_s == 'false'

        raise Puppet::Error, "#{needed} must be true when replace_all_matches_not_matching_line is true"
      end
    end
    raise Puppet::Error, 'line is a required attribute' unless self[:line] || removes_match
    raise Puppet::Error, 'path is a required attribute' unless self[:path]
  end
end
