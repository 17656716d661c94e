# @summary An absolute path of Unix.
type Stdlib::Unixpath = Pattern[/\A\/([^\n\/\0]+\/*)*\z/]
