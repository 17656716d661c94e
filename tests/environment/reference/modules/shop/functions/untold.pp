function shop::untold($a, Integer $b = 1) { }
