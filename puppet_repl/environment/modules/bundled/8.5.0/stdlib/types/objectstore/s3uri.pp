# @summary A URI in Amazon's object store.
type Stdlib::ObjectStore::S3Uri = Pattern[/\As3:\/\/.*\z/]
