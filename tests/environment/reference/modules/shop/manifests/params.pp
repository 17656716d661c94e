class shop::params {
  $a = 1
}
