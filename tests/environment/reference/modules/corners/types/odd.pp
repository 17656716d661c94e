type Corners::A = Enum['a', 'b',]
type Corners::B =
  # comment
  Optional[Corners::A]
type Corners::C = Struct[{
    'a' => String,
    # comment in it
    Optional[b] => Integer,
}]
type Corners::D = Array[Array[Array[
  String]]]
type Corners::E = Pattern[/a b/, /#c/]
