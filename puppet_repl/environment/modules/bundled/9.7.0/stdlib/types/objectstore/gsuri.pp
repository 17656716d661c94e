# @summary A URI in Google's object store.
type Stdlib::ObjectStore::GSUri = Pattern[/\Ags:\/\/.*\z/]
