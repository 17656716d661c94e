Puppet::DataTypes.create_type('Shop::Coin') do
  interface <<-PUPPET
    attributes => { 'cents' => Integer },
    functions => { 'twice' => Callable[[], Integer] }
  PUPPET

  implementation do
    def twice
      @cents * 2
    end
  end
end
