"""The names that Puppet registers for extensions of a node's certificate."""

from __future__ import annotations

EXTENSIONS = (
    "pp_role",
    "pp_environment",
    "pp_datacenter",
    "pp_zone",
    "pp_region",
    "pp_apptier",
    "pp_application",
    "pp_authorization",
    "pp_auth_role",
    "pp_auth_auto_renew",
    "pp_cli_auth",
    "pp_cloudplatform",
    "pp_cluster",
    "pp_cost_center",
    "pp_created_by",
    "pp_department",
    "pp_employee",
    "pp_hostname",
    "pp_image_name",
    "pp_instance_id",
    "pp_network",
    "pp_owner",
    "pp_preshared_key",
    "pp_product",
    "pp_project",
    "pp_provisioner",
    "pp_securitypolicy",
    "pp_service",
    "pp_software_version",
    "pp_uuid",
)
"""Those that decide about roles and places first."""
