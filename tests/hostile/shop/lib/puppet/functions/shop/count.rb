# Counts its calls, as code does that keeps something for later.
Puppet::Functions.create_function(:'shop::count') do
  def count
    $shop_count = $shop_count.to_i + 1
  end
end
