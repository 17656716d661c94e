# An absolute path without blanks.
type Backup::Path = Pattern[/\A\/\S*\z/]
