"""Which theme declares which function, so that only the theme that is needed is imported.

Written by ``python -m puppet_repl.language.functions.indexing``: do not edit.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

THEMES_8: Mapping[str, str] = {
    name: theme
    for theme, names in {
        "addresses": "enclose_ipv6 stdlib::ip_in_range",
        "affixes": "join_keys_to_values prefix suffix",
        "arrays": "any2array concat count difference intersection member union values_at zip",
        "attributes": "getparam",
        "availability": "is_function_available",
        "booleans": "any2bool bool2num bool2str num2bool str2bool",
        "choices": "pick pick_default",
        "decoding": "base64 parsejson parseyaml",
        "deletions": "delete delete_at delete_undef_values delete_values",
        "deprecation": "assert_private deprecation private",
        "dropped": "dig44 has_key hash sprintf_hash try_get_value type3x",
        "encoding": "to_json to_json_pretty to_toml to_yaml",
        "facts": "fact os_version_gte",
        "hashes": "deep_merge merge",
        "interfaces": "has_interface_with has_ip_address has_ip_network",
        "limits": "validate_integer validate_numeric validate_slength",
        "module_files": "get_module_path glob load_module_metadata loadjson loadyaml",
        "numbers": "clamp convert_base range to_bytes",
        "parsing": "parsehocon parsepson",
        "passwords": "pw_hash str2saltedpbkdf2 str2saltedsha512 validate_x509_rsa_key_pair",
        "paths": "basename dirname stdlib::extname",
        "patterns": "delete_regex grep reject",
        "predicates": (
            "is_absolute_path is_array is_bool is_domain_name is_email_address is_float is_hash "
            "is_integer is_ip_address is_ipv4_address is_ipv6_address is_mac_address is_numeric "
            "is_string"
        ),
        "program_texts": "to_python to_ruby",
        "programs": "pry time validate_augeas validate_cmd",
        "random_values": "fqdn_rand_string fqdn_rotate fqdn_uuid seeded_rand seeded_rand_string",
        "resources": (
            "defined_with_params ensure_packages ensure_resource ensure_resources "
            "stdlib::str2resource"
        ),
        "shells": "batch_escape powershell_escape shell_escape shell_join shell_split",
        "sorting": "shuffle",
        "text": (
            "dos2unix regexpescape reverse squeeze stdlib::end_with stdlib::start_with "
            "stdlib::xml_encode swapcase unix2dos uriescape"
        ),
        "type_checks": "is_a type_of",
        "validate_legacy": "validate_legacy",
        "validation": (
            "validate_absolute_path validate_array validate_bool validate_domain_name "
            "validate_email_address validate_hash validate_ip_address validate_ipv4_address "
            "validate_ipv6_address validate_re validate_string"
        ),
    }.items()
    for name in names.split()
}

THEMES_9: Mapping[str, str] = {
    name: theme
    for theme, names in {
        "addresses": "enclose_ipv6 stdlib::ip_in_range",
        "affixes": "join_keys_to_values prefix suffix",
        "arrays": "any2array concat count difference intersection member union values_at zip",
        "attributes": "getparam",
        "availability": "stdlib::has_function",
        "booleans": "any2bool bool2num bool2str num2bool str2bool",
        "checksums": "stdlib::crc32 stdlib::sha256",
        "choices": "pick pick_default",
        "decoding": "base64 parsejson parseyaml",
        "deletions": "delete delete_at delete_undef_values delete_values",
        "deprecated": (
            "batch_escape fqdn_rand_string fqdn_rotate has_interface_with has_ip_address "
            "has_ip_network merge os_version_gte parsehocon powershell_escape seeded_rand "
            "seeded_rand_string shell_escape to_json to_json_pretty to_python to_ruby to_toml "
            "to_yaml type_of validate_domain_name validate_email_address"
        ),
        "deprecation": "assert_private deprecation",
        "encoding": "stdlib::to_json stdlib::to_json_pretty stdlib::to_toml stdlib::to_yaml",
        "facts": "fact stdlib::os_version_gte",
        "hashes": "deep_merge stdlib::merge stdlib::nested_values",
        "interfaces": "stdlib::has_interface_with",
        "module_files": "get_module_path glob load_module_metadata loadjson loadyaml",
        "names": "stdlib::validate_domain_name stdlib::validate_email_address",
        "numbers": "clamp convert_base range to_bytes",
        "parsing": "parsepson stdlib::parsehocon",
        "passwords": "pw_hash str2saltedpbkdf2 str2saltedsha512 validate_x509_rsa_key_pair",
        "paths": "basename dirname stdlib::extname",
        "patterns": "delete_regex grep reject",
        "program_texts": "stdlib::to_python stdlib::to_ruby",
        "programs": "pry time validate_augeas validate_cmd",
        "random_values": (
            "fqdn_uuid stdlib::fqdn_rand_string stdlib::fqdn_rotate stdlib::seeded_rand "
            "stdlib::seeded_rand_string"
        ),
        "resources": (
            "defined_with_params ensure_packages ensure_resource ensure_resources "
            "stdlib::ensure_packages stdlib::str2resource"
        ),
        "secrets": "stdlib::rewrap_sensitive_data",
        "shells": (
            "shell_join shell_split stdlib::batch_escape stdlib::powershell_escape "
            "stdlib::shell_escape"
        ),
        "sorting": "shuffle stdlib::sort_by",
        "text": (
            "dos2unix regexpescape reverse squeeze stdlib::end_with stdlib::start_with "
            "stdlib::xml_encode swapcase unix2dos uriescape"
        ),
        "type_checks": "is_a stdlib::type_of",
        "validate_legacy": "validate_legacy",
    }.items()
    for name in names.split()
}
