type Shop::Size = Integer[1, 9]
