# What the compilers of catalogs here share: a catalog as a server makes it, and what is compared of it.
require 'json'

# The catalog of a node as the agent gets it, without what is virtual; +trusted+ is in force already. The server runs on the node.
def compiled(name, environment, facts, trusted)
  node = Puppet::Node.new(name, environment: environment, facts: Puppet::Node::Facts.new(name, facts))
  node.merge(node.facts.values)
  node.add_server_facts({ 'serverversion' => Puppet.version, 'servername' => name, 'serverip' => '127.0.0.1' })
  node.trusted_data = trusted.to_h
  JSON.parse(Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_json)
end

HIDDEN = %w[main Settings].freeze

def contents(catalog)
  kept = catalog['resources'].reject { |each| each['type'] == 'Stage' || (each['type'] == 'Class' && HIDDEN.include?(each['title'])) }
  { 'resources' => kept.each { |each| each.delete('file') }, 'edges' => catalog['edges'] }
end
