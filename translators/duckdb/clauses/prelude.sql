-- Macros that a query declares before it, where plain SQL would be long and repeated. They are
-- temporary, so that the text runs in any DuckDB that has the tables. A macro whose name ends in
-- _N is written once for each level of nesting; _M in its body is the level below.

-- Lists of truth values, three-valued. A list is written out once, however long it is.

CREATE OR REPLACE TEMP MACRO cy_all(l) AS
list_transform([l], lambda _cy_l: CASE WHEN _cy_l IS NULL THEN NULL
  WHEN list_contains(_cy_l, false) THEN false
  WHEN list_count(_cy_l) < len(_cy_l) THEN NULL ELSE true END)[1];

CREATE OR REPLACE TEMP MACRO cy_any(l) AS
list_transform([l], lambda _cy_l: CASE WHEN _cy_l IS NULL THEN NULL
  WHEN list_contains(_cy_l, true) THEN true
  WHEN list_count(_cy_l) < len(_cy_l) THEN NULL ELSE false END)[1];

CREATE OR REPLACE TEMP MACRO cy_none(l) AS NOT cy_any(l);

CREATE OR REPLACE TEMP MACRO cy_single(l) AS
list_transform([list_transform(l, lambda _cy_x: CASE WHEN _cy_x THEN 1 WHEN NOT _cy_x THEN 0 END)],
  lambda _cy_l: CASE WHEN _cy_l IS NULL THEN NULL WHEN list_sum(_cy_l) > 1 THEN false
    WHEN list_count(_cy_l) < len(_cy_l) THEN NULL ELSE coalesce(list_sum(_cy_l), 0) = 1 END)[1];

-- The first of equal items, in the order of the list. A list is written out once: DuckDB takes an
-- ordered aggregate of what may fail for two, and finds no place for one inside of a lambda.

CREATE OR REPLACE TEMP MACRO cy_firsts(l) AS
list_transform([l], lambda _cy_l:
  list_filter(_cy_l, lambda _cy_x, _cy_i: list_position(_cy_l, _cy_x) = _cy_i))[1];

CREATE OR REPLACE TEMP MACRO cy_firsts_by(l, ks) AS
list_transform([struct_pack(l := l, ks := ks)], lambda _cy_p:
  list_filter(_cy_p.l, lambda _cy_x, _cy_i: list_position(_cy_p.ks, _cy_p.ks[_cy_i]) = _cy_i
    OR contains(_cy_p.ks[_cy_i], '"$float":"nan"')))[1];

CREATE OR REPLACE TEMP MACRO cy_firsts_float(l) AS
list_transform([l], lambda _cy_l:
  list_filter(_cy_l, lambda _cy_x, _cy_i: isnan(_cy_x) OR list_position(_cy_l, _cy_x) = _cy_i))[1];

-- Bounds count from 0, negative ones from the end; the upper one is not included.

CREATE OR REPLACE TEMP MACRO cy_bound(n) AS
CASE WHEN n < -2147483648 OR n > 2147483647 THEN error(n || ' is out of range') ELSE n END;

CREATE OR REPLACE TEMP MACRO cy_slice(l, lo, hi) AS list_slice(l,
  CASE WHEN coalesce(lo, 0) < 0 THEN greatest(len(l) + lo, 0) ELSE coalesce(lo, 0) END + 1,
  CASE WHEN coalesce(hi, len(l)) < 0 THEN greatest(len(l) + hi, 0)
    ELSE least(coalesce(hi, len(l)), len(l)) END);

-- Java's text of a double: plain from 0.001 to 10,000,000, else one digit and an exponent.

CREATE OR REPLACE TEMP MACRO cy_float_text(x) AS
CASE WHEN isnan(x) THEN 'NaN'
  WHEN isinf(x) THEN CASE WHEN x > 0 THEN 'Infinity' ELSE '-Infinity' END
  WHEN x = 0 OR (abs(x) >= 1e-3 AND abs(x) < 1e7) THEN cy_plain_float(x::VARCHAR)
  ELSE cy_exponent(CASE WHEN x < 0 THEN '-' ELSE '' END, cy_digits(cy_shortest(abs(x)::VARCHAR))) END;

-- Java writes two digits at least, which for some of the smallest numbers are no zero's.

CREATE OR REPLACE TEMP MACRO cy_shortest(s) AS
CASE s WHEN '5e-324' THEN '4.9e-324' WHEN '1e-323' THEN '9.9e-324' WHEN '5e-323' THEN '4.9e-323'
  WHEN '6e-323' THEN '5.9e-323' WHEN '7e-323' THEN '6.9e-323' WHEN '8e-323' THEN '7.9e-323'
  WHEN '9e-323' THEN '8.9e-323' WHEN '1e-322' THEN '9.9e-323' ELSE s END;

-- DuckDB writes small numbers with an exponent sooner than Java.

CREATE OR REPLACE TEMP MACRO cy_plain_float(s) AS
CASE WHEN contains(s, 'e') THEN rtrim(format('{:.30f}', s::DOUBLE), '0') ELSE s END;

-- The digits of a positive double without its point, and the exponent of the first one.

CREATE OR REPLACE TEMP MACRO cy_digits(s) AS
list_transform([struct_pack(m := split_part(s, 'e', 1), e := coalesce(TRY_CAST(
    nullif(split_part(s, 'e', 2), '') AS INTEGER), 0))], lambda _cy_p: struct_pack(
  d := ltrim(replace(_cy_p.m, '.', ''), '0'),
  e := _cy_p.e + CASE WHEN _cy_p.m LIKE '0.%' THEN -1 - len(regexp_extract(_cy_p.m, '^0\.(0*)', 1))
    ELSE len(split_part(_cy_p.m, '.', 1)) - 1 END))[1];

CREATE OR REPLACE TEMP MACRO cy_exponent(sign, p) AS
sign || left(p.d, 1) || '.' || CASE WHEN rtrim(substring(p.d, 2), '0') = '' THEN '0'
  ELSE rtrim(substring(p.d, 2), '0') END || 'E' || p.e;

-- Halves go towards positive infinity; from 2^52 on there are none, and finite numbers beyond 64 bits
-- are the last one. There is no -0.0.

CREATE OR REPLACE TEMP MACRO cy_round(x) AS
CASE WHEN abs(x) < 4503599627370496e0
  THEN CASE WHEN x - floor(x) >= 0.5e0 THEN floor(x) + 1e0 ELSE floor(x) + 0e0 END
  WHEN NOT isfinite(x) THEN x
  WHEN x > 9223372036854775807e0 THEN 9223372036854775807e0
  WHEN x < -9223372036854775808e0 THEN -9223372036854775808e0 ELSE x END;

-- A value that the query cannot go on with. error() is volatile: DuckDB does not compute it ahead, and
-- takes no such expression into a window.

CREATE OR REPLACE TEMP MACRO cy_fail(j, wanted) AS error(j::VARCHAR || ' cannot be read here as ' || wanted);

-- To decimal places, halves away from zero, of the number as it is written; DuckDB rounds doubles
-- as binary fractions.

CREATE OR REPLACE TEMP MACRO cy_round_to(x, places) AS
CASE WHEN abs(x) < 1e15 THEN round(x::VARCHAR::DECIMAL(38, 20), places)::DOUBLE ELSE x END;

-- Tagged JSON: values whose type is known only when the query runs. Objects with a key that begins
-- with one $ are elements and values that JSON has not; such keys of maps get a second $.

CREATE OR REPLACE TEMP MACRO cy_float(x) AS
CASE WHEN isfinite(x) AND x <> trunc(x) THEN to_json(x)
  WHEN x = 0 AND signbit(x) THEN json_object('$float', '-0.0')
  WHEN x >= -9223372036854775808e0 AND x < 9223372036854775808e0
    THEN json_object('$float', trunc(x)::BIGINT || '.0')
  WHEN x = 9223372036854775808e0 THEN json_object('$float', '9223372036854775807.0')
  WHEN isnan(x) THEN json_object('$float', 'nan')
  WHEN x IS NOT NULL THEN json_object('$float', x::VARCHAR) END;

CREATE OR REPLACE TEMP MACRO cy_kind(j) AS
CASE json_type(j) WHEN 'VARCHAR' THEN 'STRING' WHEN 'BOOLEAN' THEN 'BOOLEAN'
  WHEN 'UBIGINT' THEN 'NUMBER' WHEN 'BIGINT' THEN 'NUMBER' WHEN 'DOUBLE' THEN 'NUMBER'
  WHEN 'ARRAY' THEN 'LIST' WHEN 'OBJECT' THEN
    CASE regexp_extract(j::VARCHAR, '^\{"\$([a-z]+)"', 1) WHEN '' THEN 'MAP' WHEN 'float' THEN 'NUMBER'
    WHEN 'temporal' THEN j->>'/$temporal'
    ELSE upper(regexp_extract(j::VARCHAR, '^\{"\$([a-z]+)"', 1)) END END;

CREATE OR REPLACE TEMP MACRO cy_integral(j) AS coalesce(json_type(j) IN ('UBIGINT', 'BIGINT'), false);

CREATE OR REPLACE TEMP MACRO cy_text(j) AS j->>'$';

CREATE OR REPLACE TEMP MACRO cy_number(j) AS
CASE WHEN j IS NULL THEN NULL WHEN json_type(j) IN ('UBIGINT', 'BIGINT', 'DOUBLE')
    THEN TRY_CAST(j AS DOUBLE)
  WHEN json_exists(j, '/$float') THEN TRY_CAST(j->>'/$float' AS DOUBLE)
  ELSE cy_fail(j, 'a number') END;

CREATE OR REPLACE TEMP MACRO cy_as_integer(j) AS
CASE WHEN j IS NULL THEN NULL WHEN cy_integral(j) THEN TRY_CAST(j AS BIGINT)
  ELSE cy_fail(j, 'an integer') END;

CREATE OR REPLACE TEMP MACRO cy_if_integer(j) AS
CASE WHEN cy_integral(j) THEN TRY_CAST(j AS BIGINT) END;

CREATE OR REPLACE TEMP MACRO cy_sum(l) AS
list_transform([l], lambda _cy_l:
  CASE WHEN len(list_filter(_cy_l, lambda _cy_x: NOT cy_integral(_cy_x))) = 0
    THEN to_json(coalesce(list_sum(list_transform(_cy_l, lambda _cy_x: cy_if_integer(_cy_x))), 0)::BIGINT)
    ELSE cy_float(list_sum(list_transform(_cy_l, lambda _cy_x: cy_number(_cy_x)))) END)[1];

CREATE OR REPLACE TEMP MACRO cy_as_string(j) AS
CASE WHEN j IS NULL THEN NULL WHEN json_type(j) = 'VARCHAR' THEN cy_text(j)
  ELSE cy_fail(j, 'a string') END;

CREATE OR REPLACE TEMP MACRO cy_if_string(j) AS
CASE WHEN json_type(j) = 'VARCHAR' THEN cy_text(j) END;

CREATE OR REPLACE TEMP MACRO cy_truth(j) AS
CASE WHEN j IS NULL THEN NULL WHEN json_type(j) = 'BOOLEAN' THEN TRY_CAST(j AS BOOLEAN)
  ELSE cy_fail(j, 'a truth value') END;

CREATE OR REPLACE TEMP MACRO cy_items(j) AS
CASE WHEN j IS NULL THEN NULL WHEN json_type(j) = 'ARRAY' THEN TRY_CAST(j AS JSON[])
  ELSE cy_fail(j, 'a list') END;

CREATE OR REPLACE TEMP MACRO cy_rows(j) AS
CASE WHEN j IS NULL THEN NULL WHEN json_type(j) = 'ARRAY' THEN TRY_CAST(j AS JSON[]) ELSE [j] END;

CREATE OR REPLACE TEMP MACRO cy_pointer(k) AS '/' || replace(replace(k, '~', '~0'), '/', '~1');

CREATE OR REPLACE TEMP MACRO cy_escaped(k) AS CASE WHEN starts_with(k, '$') THEN '$' || k ELSE k END;

CREATE OR REPLACE TEMP MACRO cy_unescaped(k) AS
CASE WHEN starts_with(k, '$$') THEN substring(k, 2) ELSE k END;

-- The properties of an element, the entries of a map.

CREATE OR REPLACE TEMP MACRO cy_entries(j) AS
CASE cy_kind(j) WHEN 'NODE' THEN (j->>'/value')::JSON->'/properties'
  WHEN 'EDGE' THEN (j->>'/value')::JSON->'/properties'
  WHEN 'MAP' THEN j ELSE cy_fail(j, 'an element or a map') END;

CREATE OR REPLACE TEMP MACRO cy_get(j, k) AS
CASE WHEN j IS NULL OR k IS NULL THEN NULL
  ELSE nullif(json_extract(cy_entries(j), cy_pointer(cy_escaped(k))), 'null'::JSON) END;

CREATE OR REPLACE TEMP MACRO cy_at(j, i) AS
CASE WHEN j IS NULL OR i IS NULL THEN NULL WHEN json_type(i) = 'VARCHAR' THEN cy_get(j, cy_text(i))
  ELSE cy_items(j)[CASE WHEN cy_as_integer(i) BETWEEN 0 AND 2147483647 THEN cy_as_integer(i) + 1
    ELSE cy_as_integer(i) END] END;

CREATE OR REPLACE TEMP MACRO cy_keys(j) AS
CASE WHEN j IS NULL THEN NULL
  ELSE list_transform(json_keys(cy_entries(j)), lambda _cy_k: cy_unescaped(_cy_k)) END;

CREATE OR REPLACE TEMP MACRO cy_properties(j) AS
CASE WHEN j IS NULL THEN NULL ELSE cy_entries(j) END;

CREATE OR REPLACE TEMP MACRO cy_size(j) AS
CASE json_type(j) WHEN 'VARCHAR' THEN length(cy_text(j)) WHEN 'ARRAY' THEN json_array_length(j)::BIGINT
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a list or a string') END END;

CREATE OR REPLACE TEMP MACRO cy_is_empty(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_text(j) = '' WHEN 'LIST' THEN json_array_length(j) = 0
  WHEN 'MAP' THEN j::VARCHAR = '{}'
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a list, a map or a string') END END;

CREATE OR REPLACE TEMP MACRO cy_labels(j) AS
CASE WHEN j IS NULL THEN NULL WHEN cy_kind(j) = 'NODE' THEN ((j->>'/value')::JSON->'/labels')::VARCHAR[]
  ELSE cy_fail(j, 'a node') END;

CREATE OR REPLACE TEMP MACRO cy_type(j) AS
CASE WHEN j IS NULL THEN NULL WHEN cy_kind(j) = 'EDGE' THEN (j->>'/value')::JSON->>'/type'
  ELSE cy_fail(j, 'a relationship') END;

CREATE OR REPLACE TEMP MACRO cy_identity(j) AS
CASE cy_kind(j) WHEN 'NODE' THEN TRY_CAST(j->>'/$node' AS BIGINT)
  WHEN 'EDGE' THEN TRY_CAST(j->>'/$edge' AS BIGINT)
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a node or relationship') END END;

CREATE OR REPLACE TEMP MACRO cy_node(j) AS
CASE WHEN cy_kind(j) = 'NODE' THEN TRY_CAST(j->>'/$node' AS BIGINT)
  WHEN j IS NOT NULL THEN cy_fail(j, 'a node') END;

CREATE OR REPLACE TEMP MACRO cy_string(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_text(j) WHEN 'BOOLEAN' THEN cy_text(j)
  WHEN 'NUMBER' THEN CASE WHEN cy_integral(j) THEN cy_text(j) ELSE cy_float_text(cy_number(j)) END
  ELSE CASE WHEN j IS NULL THEN NULL WHEN json_exists(j, '/$temporal') THEN j->>'/text'
    ELSE cy_fail(j, 'a value with a text') END END;

CREATE OR REPLACE TEMP MACRO cy_integer_of(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_to_integer(cy_text(j))
  WHEN 'NUMBER' THEN CASE WHEN cy_integral(j) THEN TRY_CAST(j AS BIGINT)
    ELSE cy_truncated(cy_number(j)) END
  WHEN 'BOOLEAN' THEN TRY_CAST(j AS BOOLEAN)::BIGINT
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a number') END END;

CREATE OR REPLACE TEMP MACRO cy_float_of(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_to_float(cy_text(j)) WHEN 'NUMBER' THEN cy_number(j)
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a number') END END;

CREATE OR REPLACE TEMP MACRO cy_boolean_of(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_to_boolean(cy_text(j)) WHEN 'BOOLEAN' THEN TRY_CAST(j AS BOOLEAN)
  WHEN 'NUMBER' THEN CASE WHEN cy_integral(j) THEN TRY_CAST(j AS BIGINT) <> 0
    ELSE cy_fail(j, 'a truth value') END
  ELSE CASE WHEN j IS NOT NULL THEN cy_fail(j, 'a truth value') END END;

-- The same of toStringOrNull and its kin: NULL for lists, maps and elements.

CREATE OR REPLACE TEMP MACRO cy_convertible(j) AS
coalesce(cy_kind(j) NOT IN ('LIST', 'MAP', 'NODE', 'EDGE', 'PATH'), false);

CREATE OR REPLACE TEMP MACRO cy_is_scalar(j) AS
coalesce(cy_kind(j) IN ('STRING', 'BOOLEAN', 'NUMBER'), false);

CREATE OR REPLACE TEMP MACRO cy_string_or_null(j) AS
CASE WHEN cy_convertible(j) THEN cy_string(j) END;

CREATE OR REPLACE TEMP MACRO cy_integer_or_null(j) AS
CASE cy_kind(j) WHEN 'STRING' THEN cy_to_integer_or_null(cy_text(j))
  ELSE CASE WHEN cy_is_scalar(j) THEN cy_integer_of(j) END END;

CREATE OR REPLACE TEMP MACRO cy_float_or_null(j) AS
CASE WHEN cy_kind(j) IN ('STRING', 'NUMBER') THEN cy_float_of(j) END;

CREATE OR REPLACE TEMP MACRO cy_boolean_or_null(j) AS
CASE WHEN cy_kind(j) IN ('STRING', 'BOOLEAN') OR cy_integral(j) THEN cy_boolean_of(j) END;

-- Arithmetic.

CREATE OR REPLACE TEMP MACRO cy_add(a, b) AS
CASE WHEN a IS NULL OR b IS NULL THEN NULL
  WHEN json_type(a) = 'ARRAY' OR json_type(b) = 'ARRAY'
    THEN to_json(list_concat(cy_rows(a), cy_rows(b)))
  WHEN json_type(a) = 'VARCHAR' OR json_type(b) = 'VARCHAR' THEN to_json(cy_string(a) || cy_string(b))
  WHEN cy_integral(a) AND cy_integral(b) THEN to_json(cy_as_integer(a) + cy_as_integer(b))
  ELSE cy_float(cy_number(a) + cy_number(b)) END;

CREATE OR REPLACE TEMP MACRO cy_sub(a, b) AS
CASE WHEN cy_integral(a) AND cy_integral(b) THEN to_json(cy_as_integer(a) - cy_as_integer(b))
  ELSE cy_float(cy_number(a) - cy_number(b)) END;

CREATE OR REPLACE TEMP MACRO cy_mul(a, b) AS
CASE WHEN cy_integral(a) AND cy_integral(b) THEN to_json(cy_as_integer(a) * cy_as_integer(b))
  ELSE cy_float(cy_number(a) * cy_number(b)) END;

CREATE OR REPLACE TEMP MACRO cy_div(a, b) AS
CASE WHEN cy_integral(a) AND cy_integral(b) THEN to_json(cy_as_integer(a) // cy_as_integer(b))
  WHEN a IS NOT NULL AND cy_integral(b) AND cy_as_integer(b) = 0 THEN cy_fail(b, 'a divisor')
  ELSE cy_float(cy_number(a) / cy_number(b)) END;

CREATE OR REPLACE TEMP MACRO cy_mod(a, b) AS
CASE WHEN cy_integral(a) AND cy_integral(b) THEN to_json(cy_as_integer(a) % cy_as_integer(b))
  ELSE cy_float(cy_number(a) % cy_number(b)) END;

CREATE OR REPLACE TEMP MACRO cy_pow(a, b) AS cy_float(pow(cy_number(a), cy_number(b)));

-- Parts of lists and maps, in an order in which they can be compared.

CREATE OR REPLACE TEMP MACRO cy_parts(j) AS
CASE WHEN json_type(j) = 'ARRAY' THEN TRY_CAST(j AS JSON[])
  ELSE list_transform(list_sort(json_keys(j)),
    lambda _cy_k: nullif(json_extract(j, cy_pointer(_cy_k)), 'null'::JSON)) END;

-- Whether NULL stands inside; strings are taken away first.

CREATE OR REPLACE TEMP MACRO cy_has_null(j) AS
regexp_matches(regexp_replace(j::VARCHAR, '"(?:[^"\\]|\\.)*"', '""', 'g'), 'null');

-- A text that is equal for equal values: whole floats as integers. A quote inside of a string has
-- a backslash, so what looks like a tag is one.

CREATE OR REPLACE TEMP MACRO cy_canon(j) AS
regexp_replace(replace(j::VARCHAR, '{"$float":"-0.0"}', '0'), '\{"\$float":"(-?[0-9]+)\.0"\}', '\1', 'g');

-- What tells values apart in groups and DISTINCT, where no NaN is another.

CREATE OR REPLACE TEMP MACRO cy_apart(k) AS
CASE WHEN contains(k, '"$float":"nan"') THEN k || uuid()::VARCHAR ELSE k END;

CREATE OR REPLACE TEMP MACRO cy_apart_float(x) AS
CASE WHEN isnan(x) THEN uuid()::VARCHAR ELSE (x + 0e0)::VARCHAR END;

CREATE OR REPLACE TEMP MACRO cy_same(a, b) AS
cy_canon(a) = cy_canon(b) AND (b IS NULL OR NOT contains(a::VARCHAR, '{"$float":"nan"}'));

-- Equality of values that may hold NULL: false where it is certain at one place, else NULL. A place
-- that only one of them has counts where both have its parent, as lists or as maps. NaN is two texts.

CREATE OR REPLACE TEMP MACRO cy_plain(j, nan) AS
replace(cy_canon(j), '{"$float":"nan"}', nan)::JSON;

CREATE OR REPLACE TEMP MACRO cy_equal(a, b) AS
CASE WHEN a IS NULL OR b IS NULL THEN NULL
  WHEN NOT cy_has_null(a) AND NOT cy_has_null(b) THEN cy_same(a, b)
  ELSE (
    SELECT CASE WHEN count(*) FILTER (WHERE
          CASE WHEN x.fullkey IS NULL OR y.fullkey IS NULL THEN
            coalesce(x.path, y.path) IN (SELECT u.fullkey FROM json_tree(a) AS u JOIN json_tree(b) AS v
              ON u.fullkey = v.fullkey WHERE u.type = v.type AND u.type IN ('ARRAY', 'OBJECT'))
          WHEN x.type = 'NULL' OR y.type = 'NULL' THEN false
          WHEN x.type IN ('ARRAY', 'OBJECT') AND y.type = x.type THEN false
          ELSE NOT cy_same(x.value, y.value) END) > 0 THEN false END
    FROM json_tree(cy_plain(a, '"$left"')) AS x FULL JOIN json_tree(cy_plain(b, '"$right"')) AS y
      ON x.fullkey = y.fullkey) END;

-- -1, 0 or 1; 2 where a number is NaN; 3 of equal durations, of which `<=` is true and `<` unknown;
-- NULL where the values have no order.

CREATE OR REPLACE TEMP MACRO cy_order_0(a, b) AS
CASE WHEN a IS NULL OR b IS NULL OR cy_kind(a) <> cy_kind(b) THEN NULL
  WHEN json_type(a) IN ('VARCHAR', 'BOOLEAN') THEN
    CASE WHEN cy_text(a) < cy_text(b) THEN -1 WHEN cy_text(a) > cy_text(b) THEN 1 ELSE 0 END
  WHEN cy_integral(a) AND cy_integral(b)
    THEN sign(TRY_CAST(a AS HUGEINT) - TRY_CAST(b AS HUGEINT))::INTEGER
  WHEN json_type(a) = 'ARRAY' OR cy_is_map(a) THEN cy_fail(a, 'shallow enough to be compared')
  WHEN json_exists(a, '/$temporal') THEN
    CASE WHEN cy_instant(a) = cy_instant(b)
      THEN CASE WHEN a->>'/$temporal' = 'DURATION' THEN 3 ELSE 0 END
      WHEN a->>'/$temporal' = 'DURATION' THEN NULL
      WHEN cy_instant(a) < cy_instant(b) THEN -1 ELSE 1 END
  WHEN cy_kind(a) = 'NUMBER' THEN cy_order_numbers(a, cy_real(a), b, cy_real(b)) END;

CREATE OR REPLACE TEMP MACRO cy_real(j) AS TRY_CAST(coalesce(j->>'/$float', j->>'$') AS DOUBLE);

CREATE OR REPLACE TEMP MACRO cy_order_numbers(a, x, b, y) AS
CASE WHEN cy_integral(a) THEN cy_order(TRY_CAST(a AS BIGINT), y)
  WHEN cy_integral(b) THEN CASE cy_order(TRY_CAST(b AS BIGINT), x) WHEN -1 THEN 1 WHEN 1 THEN -1
    WHEN 0 THEN 0 WHEN 2 THEN 2 END
  WHEN isnan(x) OR isnan(y) THEN 2 WHEN cy_less(x, y) THEN -1 WHEN cy_less(y, x) THEN 1 ELSE 0 END;

CREATE OR REPLACE TEMP MACRO cy_instant(j) AS TRY_CAST(j->>'/at' AS HUGEINT);

-- Of lists the first items that are not alike decide, and where these are NULL or NaN, nothing is
-- known; else the numbers of items. Of maps the numbers of keys decide first, then the keys.

CREATE OR REPLACE TEMP MACRO cy_first_difference(l, n) AS
nullif(list_concat(list_filter(list_transform(l, lambda _cy_x: coalesce(_cy_x, 2)),
  lambda _cy_x: _cy_x NOT IN (0, 3)), [sign(n)::INTEGER])[1], 2);

CREATE OR REPLACE TEMP MACRO cy_is_map(j) AS
json_type(j) = 'OBJECT' AND NOT regexp_matches(j::VARCHAR, '^\{"\$[a-z]');

CREATE OR REPLACE TEMP MACRO cy_order_parts(j) AS
CASE WHEN json_type(j) = 'ARRAY' THEN TRY_CAST(j AS JSON[])
  ELSE list_concat([to_json(len(json_keys(j)))],
    list_transform(list_sort(json_keys(j)), lambda _cy_k: to_json(_cy_k)), cy_parts(j)) END;

CREATE OR REPLACE TEMP MACRO cy_order_N(a, b) AS
CASE WHEN json_type(a) = 'ARRAY' AND json_type(b) = 'ARRAY' OR cy_is_map(a) AND cy_is_map(b)
  THEN cy_first_difference(list_transform(list_zip(cy_order_parts(a), cy_order_parts(b), true),
    lambda _cy_p: cy_order_M(_cy_p[1], _cy_p[2])), len(cy_order_parts(a)) - len(cy_order_parts(b)))
  ELSE cy_order_0(a, b) END;

CREATE OR REPLACE TEMP MACRO cy_order_lists(a, b) AS
list_transform([struct_pack(a := a, b := b)], lambda _cy_q:
  CASE WHEN _cy_q.a IS NOT NULL AND _cy_q.b IS NOT NULL THEN
    cy_first_difference(list_transform(list_zip(_cy_q.a, _cy_q.b, true), lambda _cy_p:
      CASE WHEN _cy_p[1] < _cy_p[2] THEN -1 WHEN _cy_p[1] > _cy_p[2] THEN 1
        WHEN _cy_p[1] = _cy_p[2] THEN 0 END), len(_cy_q.a) - len(_cy_q.b)) END)[1];

CREATE OR REPLACE TEMP MACRO cy_order_of_one(a, b) AS
list_transform([struct_pack(a := a, b := b)], lambda _cy_q: cy_order_0(_cy_q.a, _cy_q.b))[1];

CREATE OR REPLACE TEMP MACRO cy_order_of(a, b) AS
list_transform([struct_pack(a := a, b := b)], lambda _cy_q: cy_order_2(_cy_q.a, _cy_q.b))[1];

-- A struct that sorts values of all types: maps, nodes, relationships, lists, paths, temporal
-- values, strings, booleans, numbers, and NULL at the end.

CREATE OR REPLACE TEMP MACRO cy_rank(j) AS
coalesce(list_position(['MAP', 'NODE', 'EDGE', 'LIST', 'PATH', 'ZONED_DATETIME', 'DATETIME', 'DATE',
  'ZONED_TIME', 'TIME', 'DURATION', 'STRING', 'BOOLEAN', 'NUMBER'], cy_kind(j)), 15);

CREATE OR REPLACE TEMP MACRO cy_measure(j) AS
CASE json_type(j) WHEN 'BOOLEAN' THEN TRY_CAST(j AS BOOLEAN)::DOUBLE WHEN 'VARCHAR' THEN 0
  WHEN 'OBJECT' THEN coalesce(TRY_CAST(coalesce(j->>'/$float', j->>'/$node', j->>'/$edge') AS DOUBLE), 0)
  ELSE coalesce(TRY_CAST(j AS DOUBLE), 0) END;

-- Among numbers that are one float, integers as they are, and the float by its shortest text, as in
-- `cy_order`: 2^63 comes after the last integer. -0.0 comes before all other zeros.

CREATE OR REPLACE TEMP MACRO cy_fine(j) AS
CASE WHEN json_type(j) IN ('UBIGINT', 'BIGINT') THEN TRY_CAST(j AS HUGEINT)
  WHEN json_exists(j, '/$temporal') THEN cy_instant(j)
  WHEN j->>'/$float' = '-0.0' THEN -1
  ELSE coalesce(TRY_CAST(TRY_CAST(j->>'/$float' AS DOUBLE)::VARCHAR AS HUGEINT), 0) END;

CREATE OR REPLACE TEMP MACRO cy_key_0(j) AS struct_pack(r := cy_rank(j), n := cy_measure(j),
  i := cy_fine(j), s := CASE WHEN json_type(j) = 'VARCHAR' THEN cy_text(j)
    WHEN cy_kind(j) IN ('LIST', 'MAP') THEN (j::VARCHAR || ' is nested too deeply to be ordered')::BIGINT::VARCHAR
    ELSE '' END);

CREATE OR REPLACE TEMP MACRO cy_key_N(j) AS struct_pack(r := cy_rank(j), n := cy_measure(j),
  i := cy_fine(j), s := CASE WHEN json_type(j) = 'VARCHAR' THEN cy_text(j)
    WHEN cy_kind(j) = 'MAP' THEN format('{:09d}', len(json_keys(j)))
      || array_to_string(list_sort(json_keys(j)), chr(1)) ELSE '' END,
  l := CASE WHEN cy_kind(j) IN ('LIST', 'MAP') THEN
    list_transform(cy_parts(j), lambda _cy_x: cy_key_M(_cy_x)) ELSE [] END);

-- Two objects as one; the keys of the first that are in the second have been left out.

CREATE OR REPLACE TEMP MACRO cy_join(a, b) AS
CASE WHEN a::VARCHAR = '{}' THEN b WHEN b::VARCHAR = '{}' THEN a
  ELSE (left(a::VARCHAR, length(a::VARCHAR) - 1) || ',' || substring(b::VARCHAR, 2))::JSON END;

-- percentileDisc of integers: Neo4j orders them as floats, so of those that are one float the order of
-- the rows decides. n and m: how many integers there are, and how many floats they are.

CREATE OR REPLACE TEMP MACRO cy_percentile(x, n, m) AS
CASE WHEN (x >= 9007199254740992 OR x <= -9007199254740992) AND n <> m
  THEN error(x || ' is one float with another integer; which is the percentile cannot be read here')
  ELSE x END;
