require 'shop_money'

Puppet::Functions.create_function(:'shop::price') do
  dispatch(:price) { param 'Integer', :amount }

  def price(amount)
    ShopMoney.text(amount)
  end
end
