-- Numbers as Java has them: comparisons of integers with floats, texts of numbers.

-- Integers with floats. They are compared as floats, but from 2^53 on: equal where the float cut to 64
-- bits is the integer, else in order of the float's shortest text. -1, 0 or 1; 2 for NaN. Zeros have
-- an order among floats: -0.0 is smaller.

CREATE OR REPLACE TEMP MACRO cy_exact(i, f) AS
i = CASE WHEN f = 9223372036854775808e0 THEN 9223372036854775807 ELSE TRY_CAST(f AS HUGEINT) END;

CREATE OR REPLACE TEMP MACRO cy_same_number(i, f) AS
i = f AND (abs(f) < 9007199254740992e0 OR cy_exact(i, f));

CREATE OR REPLACE TEMP MACRO cy_order(i, f) AS
CASE WHEN i IS NULL OR f IS NULL THEN NULL WHEN isnan(f) THEN 2
  WHEN abs(f) >= 9007199254740992e0 AND abs(f) < 1e19
    THEN sign(i::HUGEINT - f::VARCHAR::HUGEINT)::INTEGER
  WHEN f = 0 AND i = 0 THEN CASE WHEN signbit(f) THEN 1 ELSE 0 END
  WHEN i < f THEN -1 WHEN i > f THEN 1 ELSE 0 END;

CREATE OR REPLACE TEMP MACRO cy_less(a, b) AS
a < b OR a = 0 AND b = 0 AND signbit(a) AND NOT signbit(b);

CREATE OR REPLACE TEMP MACRO cy_no_more(a, b) AS
a <= b AND NOT (a = 0 AND b = 0 AND signbit(b) AND NOT signbit(a));

-- To an integer: towards zero, the nearest one beyond 64 bits, 0 for NaN.

CREATE OR REPLACE TEMP MACRO cy_truncated(x) AS
CASE WHEN abs(x) < 9e18 THEN trunc(x)::BIGINT WHEN isnan(x) THEN 0
  WHEN x >= 9223372036854775807e0 THEN 9223372036854775807
  WHEN x <= -9223372036854775808e0 THEN -9223372036854775808 ELSE trunc(x)::BIGINT END;

-- Texts of numbers. They are read as Java reads decimal numbers (BigDecimal, Double.parseDouble), and
-- where that fails as literals of Cypher: with underscores between digits, hexadecimal, octal, with
-- white space of every kind around. Hexadecimal floats and digits beyond ASCII are not read here.

CREATE OR REPLACE TEMP MACRO cy_control() AS
chr(0) || chr(1) || chr(2) || chr(3) || chr(4) || chr(5) || chr(6) || chr(7) || chr(8) || chr(9)
  || chr(10) || chr(11) || chr(12) || chr(13) || chr(14) || chr(15) || chr(16) || chr(17) || chr(18)
  || chr(19) || chr(20) || chr(21) || chr(22) || chr(23) || chr(24) || chr(25) || chr(26) || chr(27)
  || chr(28) || chr(29) || chr(30) || chr(31) || ' ';

CREATE OR REPLACE TEMP MACRO cy_blank() AS cy_white() || chr(133) || chr(160) || chr(8199) || chr(8239);

CREATE OR REPLACE TEMP MACRO cy_bare(s) AS trim(s, cy_control());

CREATE OR REPLACE TEMP MACRO cy_lexed(s) AS
CASE WHEN starts_with(trim(cy_bare(s), cy_blank()), '-')
  THEN '-' || ltrim(substring(trim(cy_bare(s), cy_blank()), 2), cy_blank())
  ELSE trim(cy_bare(s), cy_blank()) END;

CREATE OR REPLACE TEMP MACRO cy_decimal(s) AS
regexp_full_match(s, '[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?');

CREATE OR REPLACE TEMP MACRO cy_too_large(s) AS error('integer, ' || s || ', is too large');

CREATE OR REPLACE TEMP MACRO cy_unread(s) AS
CASE WHEN regexp_matches(s, '[^\x{0}-\x{7F}]') AND regexp_full_match(s, '[-+.eE\p{Nd}]*')
  OR regexp_full_match(s, '[-+]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+[fFdD]?')
  OR regexp_matches(s, '^-?[.0-9].*(//|/\*)') OR regexp_matches(s, '^-?/\*')
  THEN error(s || ' cannot be read as a number here') END;

-- Of a decimal number the part before the point, exactly; NULL where it has more than 128 bits, and
-- where only what follows the point takes it beyond 64 bits (Neo4j compares before it cuts).

CREATE OR REPLACE TEMP MACRO cy_whole_of(s) AS
CASE WHEN regexp_matches(s, '^([+]?0*9223372036854775807|-0*9223372036854775808)[.][0-9]*[1-9][0-9]*$')
    THEN NULL
  WHEN NOT regexp_matches(s, '[eE]')
    THEN TRY_CAST(regexp_replace(split_part(s, '.', 1), '^[-+]?$', '0') AS HUGEINT)
  WHEN length(regexp_replace(s, '[-+.]|[eE].*', '', 'g')) > 19
    THEN error(s || ' has too many digits to be read here')
  ELSE trunc(TRY_CAST(s AS DECIMAL(38, 19)))::HUGEINT END;

CREATE OR REPLACE TEMP MACRO cy_in_base(digits, base) AS
list_reduce(list_transform(string_split(lower(digits), ''),
    lambda _cy_c: (strpos('0123456789abcdef', _cy_c) - 1)::HUGEINT),
  lambda _cy_x, _cy_y: _cy_x * base + _cy_y);

-- Integers as literals; NULL where there is none, or it has more than 64 bits.

CREATE OR REPLACE TEMP MACRO cy_sign(s) AS CASE WHEN starts_with(s, '-') THEN -1 ELSE 1 END;

CREATE OR REPLACE TEMP MACRO cy_integer_literal(s) AS
CASE WHEN regexp_full_match(s, '-?([1-9](_?[0-9])*|0)') THEN TRY_CAST(replace(s, '_', '') AS BIGINT)
  WHEN regexp_full_match(s, '-?0x(_?[0-9a-fA-F]){1,24}')
    THEN TRY_CAST(cy_sign(s) * cy_in_base(replace(split_part(s, 'x', 2), '_', ''), 16) AS BIGINT)
  WHEN regexp_full_match(s, '-?0o(_?[0-7]){1,32}')
    THEN TRY_CAST(cy_sign(s) * cy_in_base(replace(split_part(s, 'o', 2), '_', ''), 8) AS BIGINT) END;

CREATE OR REPLACE TEMP MACRO cy_float_literal(s) AS
CASE WHEN regexp_full_match(s, '-?([0-9](_?[0-9])*)?(\.[0-9](_?[0-9])*)?([eE][-+]?[0-9](_?[0-9])*)?')
    AND regexp_matches(s, '[0-9].*[eE]|\.') THEN TRY_CAST(replace(s, '_', '') AS DOUBLE)
  WHEN regexp_full_match(s, '-?([0-9]*\.[0-9]+|[0-9]+[eE][-+]?[0-9]+)([eE][-+]?[0-9]+)?[fFdD]')
    THEN TRY_CAST(regexp_replace(s, '[fFdD]$', '') AS DOUBLE) END;

CREATE OR REPLACE TEMP MACRO cy_to_integer(s) AS
CASE WHEN regexp_full_match(s, '[-+]?[0-9]{1,18}') THEN TRY_CAST(s AS BIGINT)
  WHEN cy_decimal(cy_bare(s)) THEN CASE WHEN TRY_CAST(cy_whole_of(cy_bare(s)) AS BIGINT) IS NULL
    THEN cy_too_large(s) ELSE TRY_CAST(cy_whole_of(cy_bare(s)) AS BIGINT) END
  ELSE coalesce(cy_integer_literal(cy_lexed(s)), cy_truncated(cy_float_literal(cy_lexed(s))),
    cy_unread_integer(cy_lexed(s))) END;

CREATE OR REPLACE TEMP MACRO cy_to_integer_or_null(s) AS
CASE WHEN regexp_full_match(s, '[-+]?[0-9]{1,18}') THEN TRY_CAST(s AS BIGINT)
  WHEN cy_decimal(cy_bare(s)) THEN TRY_CAST(cy_whole_of(cy_bare(s)) AS BIGINT)
  ELSE coalesce(cy_integer_literal(cy_lexed(s)), cy_truncated(cy_float_literal(cy_lexed(s))),
    cy_unread_integer(cy_lexed(s))) END;

CREATE OR REPLACE TEMP MACRO cy_unread_integer(s) AS
CASE WHEN NOT regexp_matches(s, '^[-+]?0[xX]') THEN cy_unread(s) END;

CREATE OR REPLACE TEMP MACRO cy_to_float(s) AS
CASE WHEN cy_decimal(regexp_replace(cy_bare(s), '[fFdD]$', ''))
    THEN TRY_CAST(regexp_replace(cy_bare(s), '[fFdD]$', '') AS DOUBLE)
  WHEN regexp_full_match(cy_bare(s), '[-+]?(NaN|Infinity)') THEN CASE WHEN contains(s, 'NaN')
    THEN 'NaN'::DOUBLE WHEN contains(s, '-') THEN '-Infinity'::DOUBLE ELSE 'Infinity'::DOUBLE END
  ELSE coalesce(cy_integer_literal(cy_lexed(s))::DOUBLE, cy_float_literal(cy_lexed(s)),
    CASE WHEN NOT regexp_full_match(cy_lexed(s), '[-+.eE\p{Nd}]*') THEN cy_unread(cy_bare(s)) END) END;

CREATE OR REPLACE TEMP MACRO cy_to_boolean(s) AS
CASE lower(cy_trim(s)) WHEN 'true' THEN true WHEN 'false' THEN false END;
