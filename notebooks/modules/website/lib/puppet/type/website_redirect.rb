# frozen_string_literal: true

Puppet::Type.newtype(:website_redirect) do
  @doc = 'A path of a web site that leads elsewhere.'

  newparam(:path, namevar: true) do
    desc 'The path that is redirected.'
  end

  newproperty(:target) do
    desc 'Where the path leads.'
  end

  newparam(:site) do
    desc 'The site that the path belongs to.'
  end
end
