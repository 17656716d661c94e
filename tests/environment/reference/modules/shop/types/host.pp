type Shop::Host = Variant[
  String[1],   # a name
  Pattern[/\A[a-z]+\z/],
  Struct[{ a => Integer, Optional['b'] => Array[
    String] }],
]
