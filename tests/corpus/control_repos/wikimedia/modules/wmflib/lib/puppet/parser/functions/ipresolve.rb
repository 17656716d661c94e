# Stands in for the DNS: a name always has the same addresses.
module Puppet::Parser::Functions
  newfunction(:ipresolve, type: :rvalue, arity: -1) do |args|
    number = args[0].to_s.sum
    case args[1].to_s.downcase
    when '6' then format('2620:0:861:101::%x', number)
    when 'ptr' then "host#{number}.eqiad.wmnet"
    else format('10.64.%d.%d', number / 250 % 250, number % 250 + 1)
    end
  end
end
