# Records what Puppet says about the data files of hiera_cases.json: run it with Puppet's lib
# directory on the load path.  ruby -I .../lib record_hiera.rb
require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'
require 'puppet_pal'

SHOP_CONFIG = "version: 5\nhierarchy:\n  - name: c\n    path: c.yaml\n"
SHOP_TYPES = { 'port' => 'Integer[1, 65535]', 'list' => 'Array[Shop::Port]' }

def write(root, path, text)
  file = File.join(root, path)
  FileUtils.mkdir_p(File.dirname(file))
  File.write(file, text)
end

def answer(row)
  Dir.mktmpdir do |root|
    write(root, 'hiera.yaml', row.fetch('config', SHOP_CONFIG))
    write(root, 'data/c.yaml', row['data'])
    write(root, 'data/common.yaml', row['data'])
    write(root, 'modules/shop/manifests/init.pp', "class shop(#{row['type']} $port = undef) { }\n") if row['type']
    SHOP_TYPES.each { |name, type| write(root, "modules/shop/types/#{name}.pp", "type Shop::#{name.capitalize} = #{type}\n") }
    begin
      facts = { 'os' => { 'family' => 'Debian', 'name' => 'Debian' } }
      Puppet::Pal.in_environment('production', env_dir: root, facts: facts) do |pal|
        row['type'] ? pal.with_catalog_compiler { |c| c.evaluate_string(row['code']); c.compile_additions } : pal.with_script_compiler { |c| c.evaluate_string(row['code']) }
      end
      nil
    rescue StandardError => e
      e.message.gsub(root, 'ROOT').gsub(/ on node \S+/, '')
    end
  end
end

Dir.mktmpdir do |settings|
  Puppet.initialize_settings(['--confdir', settings, '--vardir', settings])
  Puppet[:strict] = :error
  path = File.join(__dir__, 'hiera_cases.json')
  rows = JSON.parse(File.read(path))
  rows.each { |row| row['puppet'] = answer(row) }
  File.write(path, "[\n#{rows.map { |row| JSON.generate(row) }.join(",\n")}\n]\n")
end
