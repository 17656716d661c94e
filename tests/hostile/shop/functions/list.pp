function shop::list() { [1, 2, ["a", "b"]] }
