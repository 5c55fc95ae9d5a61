"""What of GoogleSQL is switched on: Spanner's profile, and everything.

Spanner's profile is the narrowest that its emulator has published since it knows path modes
(github.com/GoogleCloudPlatform/cloud-spanner-emulator, `MakeGoogleSqlLanguageOptions` in
backend/query/analyzer_options.cc and `SupportedZetaSQLFunctions` in
backend/query/feature_filter/gsql_supported_functions.cc). Later ones switch on more: CALL and the
extensions of RETURN. Production may differ from the emulator.
"""

from __future__ import annotations

from typing import Any, Final

_FEATURES: Final = """
    EXTENDED_TYPES FUNCTION_ARGUMENTS_WITH_DEFAULTS NAMED_ARGUMENTS NUMERIC_TYPE TABLESAMPLE
    TIMESTAMP_NANOS HAVING_IN_AGGREGATE NULL_HANDLING_MODIFIER_IN_AGGREGATE ORDER_BY_IN_AGGREGATE
    LIMIT_IN_AGGREGATE ORDER_BY_COLLATE SELECT_STAR_EXCEPT_REPLACE SAFE_FUNCTION_CALL JSON_TYPE
    JSON_ARRAY_FUNCTIONS JSON_CONSTRUCTOR_FUNCTIONS JSON_MUTATOR_FUNCTIONS
    JSON_STRICT_NUMBER_PARSING JSON_VALUE_EXTRACTION_FUNCTIONS
    JSON_LAX_VALUE_EXTRACTION_FUNCTIONS WITH_EXPRESSION TABLE_VALUED_FUNCTIONS TOKENIZED_SEARCH
    ADDITIONAL_STRING_FUNCTIONS SEQUENCE_ARG ENABLE_FLOAT_DISTANCE_FUNCTIONS DOT_PRODUCT
    INTERVAL_TYPE SQL_GRAPH SQL_GRAPH_ADVANCED_QUERY SQL_GRAPH_BOUNDED_PATH_QUANTIFICATION
    SQL_GRAPH_PATH_TYPE SQL_GRAPH_PATH_MODE FOR_UPDATE"""

# Beside these, the functions of graphs; Spanner documentation, "SQL functions for graphs".
_FUNCTIONS: Final = """
    $add $and $array_at_offset $array_at_ordinal $between $bitwise_and $bitwise_left_shift
    $bitwise_not $bitwise_or $bitwise_right_shift $bitwise_xor $case_no_value $case_with_value
    $concat_op $count_star $divide $equal $extract $extract_date $greater $greater_or_equal $in
    $in_array $interval $is_false $is_null $is_true $less $less_or_equal $like $make_array
    $multiply $not $not_equal $or $safe_array_at_offset $safe_array_at_ordinal $subscript
    $subtract $unary_minus abs acos acosh any_value approx_cosine_distance approx_dot_product
    approx_euclidean_distance array_agg array_concat array_concat_agg array_first array_includes
    array_includes_all array_includes_any array_is_distinct array_last array_length array_max
    array_min array_reverse array_slice array_to_string asin asinh atan atan2 atanh avg bit_and
    bit_count bit_or bit_xor bool byte_length ceil char_length coalesce code_points_to_bytes
    code_points_to_string concat cos cosh cosine_distance count countif current_date
    current_timestamp date date_add date_diff date_from_unix_date date_sub date_trunc div
    dot_product ends_with error euclidean_distance exp farm_fingerprint float64 floor format
    format_date format_timestamp from_base32 from_base64 from_hex generate_array
    generate_date_array generate_uuid greatest ieee_divide if ifnull int64 is_inf is_nan
    json_array json_object json_query json_query_array json_type json_value json_value_array
    justify_days justify_hours justify_interval lax_bool lax_float64 lax_int64 lax_string least
    length ln log log10 logical_and logical_or lower lpad ltrim make_interval max md5 min mod
    net.host net.ip_from_string net.ip_net_mask net.ip_to_string net.ip_trunc net.ipv4_from_int64
    net.ipv4_to_int64 net.public_suffix net.reg_domain net.safe_ip_from_string normalize
    normalize_and_casefold nullif parse_date parse_json parse_timestamp pow regexp_contains
    regexp_extract regexp_extract_all regexp_replace repeat replace reverse round rpad rtrim
    safe_add safe_convert_bytes_to_string safe_divide safe_multiply safe_negate safe_subtract sha1
    sha256 sha512 sign sin sinh soundex split sqrt starts_with stddev_samp string string_agg
    strpos substr sum tan tanh timestamp timestamp_add timestamp_diff timestamp_micros
    timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc to_base32 to_base64
    to_code_points to_hex to_json to_json_string trim trunc unix_date unix_micros unix_millis
    unix_seconds upper var_samp destination_node_id edges element_definition_name element_id
    is_acyclic is_first is_trail labels nodes path path_first path_last path_length
    property_exists property_names same source_node_id $is_dest_node $is_source_node $path_concat
    $unchecked_path $unchecked_path_concat"""

FUNCTIONS: Final = frozenset(_FUNCTIONS.split())


def language_options(maximum: Any, profile: str) -> dict[str, Any]:
    """`LanguageOptionsProto` as JSON; `maximum` names all features that the analyser knows."""
    features = [f"FEATURE_{name}" for name in _FEATURES.split()]
    return {
        "nameResolutionMode": "NAME_RESOLUTION_DEFAULT",
        "productMode": "PRODUCT_EXTERNAL",
        "enabledLanguageFeatures": features if profile == "spanner" else maximum,
        "supportedStatementKinds": ["RESOLVED_QUERY_STMT"],
        "reservedKeywords": ["GRAPH_TABLE"],
    }
