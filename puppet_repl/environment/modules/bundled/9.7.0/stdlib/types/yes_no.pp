# @summary The word yes or no, in any case.
type Stdlib::Yes_no = Pattern[/\A(?i:(yes|no))\z/]
