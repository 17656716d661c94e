# A coin.
# @!method flip(a, b)
#   Flips it.
#   @param [String] a wrong type
#   @param [Integer] b too many
#   @return [String] wrong type
Puppet::DataTypes.create_type('Coin') do
  interface <<-PUPPET
    functions => {
      flip => Callable[[Integer], Boolean],
      odd => Integer,
      bad => 'Callable[',
      rest => Callable[Integer, 1, default],
      block => Callable[[String, Callable[[Integer], String]], Any],
    }
    PUPPET
end
