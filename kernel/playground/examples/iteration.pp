# An array of hashes is shown as a table.
$servers = {
  'web01' => { 'role' => 'web', 'memory' => 8 },
  'web02' => { 'role' => 'web', 'memory' => 16 },
  'db01'  => { 'role' => 'database', 'memory' => 64 },
}

$by_role = $servers.group_by |$name, $server| { $server['role'] }
$by_role.each |$role, $members| {
  notice("${role}: ${members.map |$member| { $member[0] }.join(', ')}")
}

$servers.map |$name, $server| {
  { 'name' => $name, 'role' => $server['role'], 'share' => $server['memory'] * 100 / 88 }
}
