Puppet::DataTypes.create_type('Note') do
  interface "attributes => { a => Integer }"
end
Puppet::DataTypes.create_type('Bad') do
  interface "attributes => {{{ "
end
