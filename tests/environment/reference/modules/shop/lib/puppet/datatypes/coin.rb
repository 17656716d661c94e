# A coin.
#
# @param value The value
# @param [String] currency The currency
# @param nothing Not there
#
# @!method flip(side)
#   Flips it.
#   @param [Integer] side Which side
#   @return [Boolean] how it fell
#   @example Flip
#     $coin.flip(1)
# @!method missing()
#   Not there.
Puppet::DataTypes.create_type('Coin') do
  interface <<-PUPPET
    attributes => {
      value => Integer,
      currency => { type => String[1], value => 'EUR' },
      weight => { type => Optional[Float], value => 1.5 },
      list => { type => Array[Integer], value => [1, 2] },
      neg => { type => Integer, value => -1 },
      none => { type => Optional[String], value => undef },
      yes => { type => Boolean, value => true },
    },
    functions => {
      flip => Callable[[Integer], Boolean],
      spin => Callable[[Integer, Optional[String]], String],
      melt => Callable[[], Undef]
    }
    PUPPET
  load_file 'puppet_x/coin'
  implementation_class PuppetX::Coin
end
