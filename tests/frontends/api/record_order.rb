# Records which resources Puppet does before which, of programs in a JSON array on standard input:
#   ruby -I PUPPET/lib record_order.rb < programs.json > order.jsonl
# In the graph that an agent applies, a container is a beginning and an end with its content between.
require 'json'
require 'tmpdir'
require 'puppet'

# What only an agent knows is left out.
class Puppet::Type
  %i[autorequire autobefore autosubscribe autonotify].each { |name| define_method(name) { |*| [] } }
end

ALWAYS_THERE = /\A(?:Stage\[|Class\[(?:Settings|Main)\]|Schedule\[|Filebucket\[)/i

def compiled(code, environment)
  Puppet[:code] = code
  node = Puppet::Node.new('node', environment: environment)
  Puppet::Parser::Compiler.compile(node).to_ral
end

Dir.mktmpdir do |directory|
  Puppet.initialize_settings(['--confdir', directory, '--vardir', directory])
  JSON.parse($stdin.read).each do |code|
    environment = Puppet::Node::Environment.create(:production, [])
    loaders = Puppet::Pops::Loaders.new(environment)
    Puppet.override(loaders: loaders, current_environment: environment) do
      catalog = compiled(code, environment)
      graph = catalog.relationship_graph
      points = graph.vertices.to_h { |point| [point.ref.downcase, point] }
      names = catalog.resources.map(&:ref).reject { |name| name =~ ALWAYS_THERE }
      point = ->(name, kind) { points["whit[#{kind}_#{name}]".downcase] || points[name.downcase] }
      pairs = names.product(names).select do |first, second|
        first != second &&
          graph.dependents(point.(first, 'completed')).include?(point.(second, 'admissible'))
      end
      puts JSON.generate(code: code, resources: names, before: pairs.sort)
    end
  end
end
