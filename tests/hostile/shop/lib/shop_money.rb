module ShopMoney
  SIGN = 'EUR'
  def self.text(amount) = "#{amount} #{SIGN}"
end
