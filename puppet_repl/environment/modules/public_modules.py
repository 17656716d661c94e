"""Which public module has a name that is missing: for hints.

One row a module of the Forge: resource types and global functions that it is known for. Everything
qualified, ``apache::mod::ssl`` or ``Stdlib::Port``, begins with the name of its module.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Owners with the short names of their modules.
_OWNERS = {
    "dalen": "puppetdbquery",
    "duritong": "sysctl",
    "heini": "wait_for",
    "herculesteam": "augeasproviders_core augeasproviders_pam augeasproviders_shellvar"
    " augeasproviders_ssh augeasproviders_sysctl",
    "icinga": "icinga icinga2 icingadb icingaweb2",
    "openstack": "aodh barbican ceilometer ceph cinder cloudkitty designate glance gnocchi heat"
    " horizon ironic keystone magnum manila mistral neutron nova octavia openstack_extras"
    " openstacklib oslo ovn placement sahara swift tempest trove vswitch watcher zaqar",
    "puppet": "alternatives archive autofs chrony collectd consul corosync dhcp elasticsearch"
    " epel extlib fail2ban ferm gitlab gitlab_ci_runner grafana jenkins kafka keepalived keycloak"
    " kibana kmod letsencrypt logrotate logstash mcollective mongodb mosquitto network nftables"
    " nginx nodejs nomad nrpe openldap openssl openvpn php posix_acl postfix prometheus proxysql"
    " puppetboard puppetserver python rabbitmq redis rhsm rsyslog rundeck selinux snmp squid"
    " ssh_keygen sssd strongswan swap_file syslog_ng systemd telegraf unattended_upgrades unbound"
    " vault_lookup windows_env windowsfeature wireguard yum zabbix zookeeper zypprepo",
    "puppetlabs": "accounts acl apache apt augeas_core chocolatey concat cron_core docker"
    " firewall haproxy hocon host_core iis inifile java java_ks kubernetes lvm macdslocal_core"
    " mailalias_core maillist_core motd mount_core mysql nagios_core ntp peadm postgresql"
    " powershell puppet_agent puppetdb pwshlib reboot registry rsync scheduled_task selinux_core"
    " sqlserver sshkeys_core stdlib stunnel tftp tomcat translate vcsrepo xinetd yumrepo_core"
    " zfs_core zone_core",
    "richardc": "datacat",
    "saz": "dnsmasq limits locales memcached ssh sudo timezone",
    "theforeman": "dns foreman foreman_proxy puppet",
}

# Resource types by module; those of OpenStack's modules begin with the name of the module.
_TYPES = {
    "alternatives": "alternatives alternative_entry",
    "archive": "archive",
    "acl": "acl",
    "apt": "apt_key",
    "augeas_core": "augeas",
    "augeasproviders_pam": "pam",
    "augeasproviders_shellvar": "shellvar",
    "augeasproviders_ssh": "sshd_config sshd_config_match sshd_config_subsystem ssh_config",
    "chocolatey": "chocolateyconfig chocolateyfeature chocolateysource",
    "concat": "concat concat_file concat_fragment",
    "consul": "consul_acl consul_key_value consul_policy consul_prepared_query consul_token",
    "corosync": "cs_clone cs_colocation cs_commit cs_group cs_location cs_order cs_primitive"
    " cs_property cs_rsc_defaults cs_shadow",
    "cron_core": "cron",
    "datacat": "datacat_collector datacat_fragment",
    "docker": "docker_compose docker_network docker_stack docker_volume",
    "elasticsearch": "elasticsearch_index elasticsearch_keystore elasticsearch_license"
    " elasticsearch_pipeline elasticsearch_plugin elasticsearch_role elasticsearch_template"
    " elasticsearch_user",
    "firewall": "firewall firewallchain",
    "foreman": "foreman_config_entry foreman_host foreman_smartproxy foreman_global_parameter",
    "grafana": "grafana_dashboard grafana_datasource grafana_folder grafana_organization"
    " grafana_plugin grafana_team grafana_user",
    "hocon": "hocon_setting",
    "host_core": "host",
    "iis": "iis_application iis_application_pool iis_feature iis_site iis_virtual_directory",
    "inifile": "ini_setting ini_subsetting",
    "java_ks": "java_ks",
    "jenkins": "jenkins_authorization_strategy jenkins_credentials jenkins_job jenkins_user",
    "keycloak": "keycloak_client keycloak_realm keycloak_client_scope keycloak_flow"
    " keycloak_identity_provider keycloak_ldap_user_provider",
    "lvm": "filesystem logical_volume physical_volume volume_group",
    "macdslocal_core": "computer macauthorization mcx",
    "maillist_core": "maillist",
    "mailalias_core": "mailalias",
    "mongodb": "mongodb_conn_validator mongodb_database mongodb_replset mongodb_shard mongodb_user",
    "mount_core": "mount",
    "mysql": "mysql_database mysql_datadir mysql_grant mysql_login_path mysql_plugin mysql_user",
    "nagios_core": "nagios_command nagios_contact nagios_contactgroup nagios_host"
    " nagios_hostdependency nagios_hostescalation nagios_hostextinfo nagios_hostgroup"
    " nagios_service nagios_servicedependency nagios_serviceescalation nagios_serviceextinfo"
    " nagios_servicegroup nagios_timeperiod",
    "network": "network_config network_route",
    "openldap": "openldap_access openldap_database openldap_global_conf openldap_module"
    " openldap_overlay openldap_schema",
    "openssl": "cert_file dhparam ssl_pkey x509_cert x509_request",
    "posix_acl": "posix_acl",
    "postgresql": "postgresql_conf postgresql_conn_validator postgresql_psql"
    " postgresql_replication_slot",
    "proxysql": "proxy_mysql_query_rule proxy_mysql_server proxy_mysql_user"
    " proxy_global_variable proxy_scheduler",
    "puppetdb": "puppetdb_conn_validator",
    "rabbitmq": "rabbitmq_binding rabbitmq_cluster rabbitmq_erlang_cookie rabbitmq_exchange"
    " rabbitmq_parameter rabbitmq_plugin rabbitmq_policy rabbitmq_queue rabbitmq_user"
    " rabbitmq_user_permissions rabbitmq_vhost",
    "reboot": "reboot",
    "registry": "registry_key registry_value",
    "rhsm": "rh_subscription rhsm_config rhsm_register rhsm_repo",
    "scheduled_task": "scheduled_task",
    "selinux": "selinux_fcontext selinux_fcontext_equivalence selinux_login selinux_permissive"
    " selinux_port",
    "selinux_core": "selboolean selmodule",
    "sqlserver": "sqlserver_features sqlserver_instance sqlserver_tsql",
    "sshkeys_core": "ssh_authorized_key sshkey",
    "stdlib": "anchor file_line",
    "sysctl": "sysctl_runtime",
    "augeasproviders_sysctl": "sysctl",
    "systemd": "loginctl_user",
    "vcsrepo": "vcsrepo",
    "wait_for": "wait_for",
    "windows_env": "windows_env",
    "windowsfeature": "windowsfeature",
    "yumrepo_core": "yumrepo",
    "zabbix": "zabbix_application zabbix_host zabbix_hostgroup zabbix_proxy zabbix_role"
    " zabbix_template zabbix_template_host zabbix_userparameters zabbix_user",
    "zfs_core": "zfs zpool",
    "zone_core": "zone",
    "zypprepo": "zypprepo",
}

# Global functions by module; those of stdlib are known from its implementation.
_FUNCTIONS = {
    "apache": "apache_pw_hash bool2httpd",
    "archive": "assemble_nexus_url go_md5",
    "datacat": "template_body",
    "dns": "get_in_addr_arpa",
    "inifile": "create_ini_settings",
    "mongodb": "mongodb_password",
    "mysql": "mysql_password mysql_strip_hash",
    "openssl": "cert_date_valid",
    "openstacklib": "inet6_prefix is_service_default normalize_ip_for_uri"
    " os_database_connection os_transport_url",
    "postgresql": "postgresql_escape postgresql_password",
    "puppetdbquery": "query_facts query_nodes query_resources",
    "redis": "redisget",
    "ssh": "ipaddresses",
    "translate": "translate",
    "vault_lookup": "vault_lookup",
    "vswitch": "range_to_mask",
}


@cache
def _owners() -> dict[str, str]:
    return {name: f"{owner}-{name}" for owner, names in _OWNERS.items() for name in names.split()}


@cache
def _by_name(kind: str) -> dict[str, str]:
    table = _TYPES if kind == "type" else _FUNCTIONS
    return {name: module for module, names in table.items() for name in names.split()}


def module_of_resource_type(name: str) -> str | None:
    """Return the short name of the public module that has a resource type."""
    found = _by_name("type").get(name)
    if found is None:
        prefix = name.partition("_")[0]
        found = prefix if prefix in _OWNERS["openstack"].split() and prefix != name else None
    return found


def module_of_function(name: str) -> str | None:
    """Return the short name of the public module that has a global function."""
    found = _by_name("function").get(name)
    if found is None:
        from puppet_repl.language.functions.stdlib.index import THEMES_8, THEMES_9

        found = "stdlib" if name in THEMES_9 or name in THEMES_8 else None
    return found


def names() -> Iterable[str]:
    """Return the short names of all public modules that are known."""
    return _owners()


def forge_name(module: str) -> str | None:
    """Return ``puppetlabs-apache`` for ``apache``, None for a module that is not known."""
    return _owners().get(module)
