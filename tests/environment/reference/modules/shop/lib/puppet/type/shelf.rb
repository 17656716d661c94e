# frozen_string_literal: true

require 'puppet/parameter/boolean'

# A comment above the type.
Puppet::Type.newtype(:shelf) do
  @doc = <<-DOC
    @summary A shelf.

    It holds goods:

        shelf { 'x': }

    @example Using it
      shelf { 'a':
        ensure => present,
      }
    @note Heavy
    @todo Paint it
    @see till
    @since 2.0
    @deprecated Use cupboards
  DOC

  feature :refillable, "It can be
    refilled", :methods => [:refill]
  feature :movable, 'It moves'

  ensurable do
    desc "Whether it is there"
    defaultvalues
    newvalue(:empty) { provider.empty }
    aliasvalue(:there, :present)
    aliasvalue 'gone', 'absent'
    defaultto { :present }
    defaultto :present
  end

  newparam(:name, namevar: true) do
    desc 'Its name. This is a long description, which is longer than the hundred and twenty characters at which lines of parameters are wrapped by the tool.'
    isnamevar
  end

  newparam(:boards, :parent => Puppet::Parameter::Boolean, :required_features => :refillable) do
    desc <<-EOT.strip
      No literal.
    EOT
  end

  newparam :depth do
    desc <<-'EOT'
      How deep
      it is,

        in cm.
    EOT
    newvalues(/^\d+$/, :auto, "a#{1}b", *EXTRA)
    defaultto 10
    validate do |value|
      raise ArgumentError, "no" unless value =~ /\d/
    end
    munge { |value| value.to_i }
  end

  newproperty(:colour, array_matching: :all, required_features: %w[refillable movable]) do
    desc %q(The colour)
    newvalue(:red)
    newvalue('green', :event => :painted) { x }
    newvalues 'blue', :"light blue"
    defaultto "red"
  end

  newproperty(:untold) do
    newvalues(:true, :false)
    defaultto <<-X
    a
    X
  end

  newproperty(:empty_default) do
    desc ''
    defaultto ''
  end

  newproperty(:complex) do
    desc "Complex defaults"
    defaultto [1, { a: 'b' }]
  end
  newproperty(:lines) do
    desc "Over lines"
    defaultto do
      'x'
    end
    defaultto({
      a: 1,
    })
  end

  newproperty(:trailing,
    parent: Foo,
  ) do
    desc "Trailing comma"
  end

  newcheck(:check_it) do
    desc 'A check'
    newvalues(:yes, :no)
  end

  %w[left right].each do |side|
    newparam(:"#{side}_side") { desc "Generated" }
  end

  newparam(side = :other) { desc "Odd name" }
  newparam(:one_line) { desc "In one line"; newvalues(:a); defaultto(:a) }
  newparam(:conditional) { desc "If" } if true

  def self.title_patterns
    [[/(.*)/m, [[:name]]]]
  end

  autorequire(:file) { self[:path] }
end
