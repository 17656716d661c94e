# @summary Of iron
# @api private
Puppet::Type.type(:shelf).provide :iron do
  @doc = "Of iron"
end
Puppet::Type.type(:till).provide(:wood) do
end
