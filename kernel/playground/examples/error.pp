# Run it: the error names its place, and the place is marked.
# Type "$limits" at the prompt below; then mend the program.
$limits = {
  'soft' => 1024,
  'hard' => '4096 files',
}

function headroom(Hash $limits) {
  $limits['hard'] - $limits['soft']
}

notice("There is room for ${headroom($limits)} more files.")
