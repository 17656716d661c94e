node default { }
$x = 1
define corners::in_node($a = $x ? { 1 => 2 }) { }
