# @summary Deploys the shop
# @param targets Where
# @return nothing
plan shop::deploy(
  TargetSpec $targets,
  String $version = 'latest',
) {
  apply($targets) { include shop }
}
