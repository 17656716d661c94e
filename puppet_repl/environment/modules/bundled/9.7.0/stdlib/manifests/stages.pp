# @summary Declare run stages before and after the stage main.
#
# Their order is setup, main, runtime, setup_infra, deploy_infra, setup_app, deploy_app, deploy.
#
# @example
#   include stdlib::stages
#   class { 'java': stage => 'runtime' }
class stdlib::stages {
  stage { 'setup':  before => Stage['main'] }
  stage { 'runtime': require => Stage['main'] }
  -> stage { 'setup_infra': }
  -> stage { 'deploy_infra': }
  -> stage { 'setup_app': }
  -> stage { 'deploy_app': }
  -> stage { 'deploy': }
}
