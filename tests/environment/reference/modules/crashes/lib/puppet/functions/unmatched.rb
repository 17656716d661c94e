# Puppet-strings writes no Markdown of a parameter without a type.
Puppet::Functions.create_function(:unmatched) do
  # Text.
  # @param a A
  # @param nothing without a type
  # @return [String] s
  dispatch :a do
    param 'String', :a
  end
end
