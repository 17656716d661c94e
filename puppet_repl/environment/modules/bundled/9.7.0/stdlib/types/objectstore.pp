# @summary A URI of an object store: of Google's or Amazon's.
type Stdlib::ObjectStore = Variant[
  Stdlib::ObjectStore::GSUri,
  Stdlib::ObjectStore::S3Uri,
]
