-- Texts as Java's String has them, on which Cypher's functions rest. Plain ASCII texts, which have
-- as many bytes as characters, take the short way.

-- The upper case of characters where DuckDB's differs: those that become several (SpecialCasing.txt
-- of Unicode), and those of Unicode 16.

CREATE OR REPLACE TEMP MACRO cy_upper(s) AS
CASE WHEN strlen(s) = length(s) THEN upper(s) WHEN regexp_matches(s, @UPPER@)
  THEN array_to_string(list_transform(string_split(s, ''),
    lambda _cy_c: coalesce(@UPPER_MAP@[_cy_c], upper(_cy_c))), '')
  ELSE upper(s) END;

CREATE OR REPLACE TEMP MACRO cy_lower(s) AS
CASE WHEN strlen(s) = length(s) THEN lower(s) WHEN contains(s, 'Σ')
  THEN cy_lower_each(cy_final_sigma(s)) ELSE cy_lower_each(s) END;

CREATE OR REPLACE TEMP MACRO cy_lower_each(s) AS
CASE WHEN regexp_matches(s, @LOWER@)
  THEN lower(replace(translate(s, @LOWER_FROM@, @LOWER_TO@), chr(304), 'i' || chr(775)))
  ELSE lower(s) END;

-- A sigma at the end of a word has a form of its own: there a letter with case is before it in its
-- word and none behind it. How far a word reaches is known here but for letters of other alphabets;
-- an error is what no nearer character decides.

CREATE OR REPLACE TEMP MACRO cy_one_sigma(before, behind) AS
CASE WHEN regexp_matches(behind, @SIGMA_FOLLOWED@) THEN 'Σ'
  WHEN NOT regexp_matches(before, @SIGMA_PRECEDED@) AND NOT regexp_matches(before, @SIGMA_OPEN_BEFORE@)
  THEN 'Σ'
  WHEN regexp_matches(before, @SIGMA_PRECEDED@) AND NOT regexp_matches(behind, @SIGMA_OPEN_BEHIND@)
  THEN 'ς'
  ELSE error(before || 'Σ' || behind || ' has a sigma in a word that cannot be told here') END;

CREATE OR REPLACE TEMP MACRO cy_final_sigma(s) AS
array_to_string(list_transform(string_split(s, 'Σ'), lambda _cy_part, _cy_i:
  CASE WHEN _cy_i = 1 THEN _cy_part
    ELSE cy_one_sigma(array_to_string(string_split(s, 'Σ')[:_cy_i - 1], 'Σ'),
      array_to_string(string_split(s, 'Σ')[_cy_i:], 'Σ')) || _cy_part END), '');

CREATE OR REPLACE TEMP MACRO cy_reverse(s) AS
CASE WHEN strlen(s) = length(s) THEN reverse(s)
  ELSE array_to_string(list_reverse(string_split(s, '')), '') END;

CREATE OR REPLACE TEMP MACRO cy_replace(s, old, new) AS
CASE WHEN s IS NULL OR old IS NULL OR new IS NULL THEN NULL WHEN old <> '' THEN replace(s, old, new)
  WHEN s = '' THEN new ELSE new || replace(array_to_string(string_split(cy_narrow(s), ''),
    chr(1114111)), chr(1114111), new) || new END;

-- Java cuts characters beyond U+FFFF in two.

CREATE OR REPLACE TEMP MACRO cy_narrow(s) AS
CASE WHEN regexp_matches(s, '[\x{10000}-\x{10FFFF}]')
  THEN error(s || ' has characters that Java cuts in two') ELSE s END;

CREATE OR REPLACE TEMP MACRO cy_count(n) AS
CASE WHEN n < 0 OR n > 2147483647 THEN error(n || ' is out of range') ELSE n END;

-- White space as Character.isWhitespace has it.

CREATE OR REPLACE TEMP MACRO cy_white() AS
@WHITE@;

CREATE OR REPLACE TEMP MACRO cy_trim(s) AS trim(s, cy_white());

CREATE OR REPLACE TEMP MACRO cy_ltrim(s) AS ltrim(s, cy_white());

CREATE OR REPLACE TEMP MACRO cy_rtrim(s) AS rtrim(s, cy_white());

-- Neo4j takes not all of a text that begins with an ASCII character, where it is in the query or kept
-- in UTF-8 by the store; of texts that it made it does.

CREATE OR REPLACE TEMP MACRO cy_rtrim_written(s, c) AS
CASE WHEN rtrim(s, c) = '' AND regexp_matches(s, '^[\x00-\x7F]') THEN left(s, 1) ELSE rtrim(s, c) END;

CREATE OR REPLACE TEMP MACRO cy_rtrim_stored(s, c) AS
CASE WHEN s IS NULL OR c IS NULL THEN NULL
  WHEN rtrim(s, c) <> '' THEN rtrim(s, c)
  WHEN NOT regexp_matches(s, '^[\x00-\x7F]') THEN ''
  WHEN regexp_full_match(s, @STORED_WHOLE@, 's') THEN left(s, 1)
  WHEN regexp_full_match(s, @STORED_AS_LATIN@, 's') THEN ''
  ELSE error('what rtrim leaves of ' || s || ' cannot be told here') END;

CREATE OR REPLACE TEMP MACRO cy_rtrim_made(s, c) AS
CASE WHEN rtrim(s, c) = '' AND regexp_matches(s, '^[\x00-\x7F]')
  THEN error('what rtrim leaves of ' || s || ' cannot be told here') ELSE rtrim(s, c) END;

CREATE OR REPLACE TEMP MACRO cy_split(s, sep) AS
CASE WHEN sep = '' THEN string_split(cy_narrow(s), '')
  WHEN sep IS NOT NULL THEN string_split(s, sep) END;

-- Regular expressions. A border of words looks at combining marks, unlike RE2's.

CREATE OR REPLACE TEMP MACRO cy_unmarked(s) AS
CASE WHEN regexp_matches(s, '\p{Mn}') THEN error(s || ' has combining marks') ELSE s END;

-- Expressions that are known only when the query runs are taken apart, and each part is said as RE2
-- understands it. What RE2 has not, or reads otherwise, is an error: looking around, back references,
-- $ before the end, flags but (?i) at the beginning. To that both sides are made small, which keeps
-- the meaning of ranges of letters of one case and of digits.

CREATE OR REPLACE TEMP MACRO cy_matches(s, p) AS
CASE WHEN s IS NULL OR p IS NULL THEN NULL
  WHEN NOT starts_with(p, '(?i)') THEN regexp_full_match(cy_bordered(s, p), cy_pattern(p))
  WHEN regexp_matches(p, '\\[A-Za-ce-rt-vx-z]') OR contains(p, '[')
    AND contains(regexp_replace(p, '[A-Z]-[A-Z]|[a-z]-[a-z]|[0-9]-[0-9]', '', 'g'), '-')
    THEN cy_no_pattern(p)
  ELSE regexp_full_match(cy_ascii_lower(s), cy_pattern(cy_ascii_lower(substring(p, 5)))) END;

CREATE OR REPLACE TEMP MACRO cy_no_pattern(p) AS
error(p || ' is a regular expression that cannot be read here');

CREATE OR REPLACE TEMP MACRO cy_bordered(s, p) AS
CASE WHEN regexp_matches(p, '\\[bB]') THEN cy_unmarked(s) ELSE s END;

CREATE OR REPLACE TEMP MACRO cy_pattern(p) AS
list_transform([struct_pack(p := p, l := regexp_extract_all(p, @PART@))], lambda _cy_x:
  CASE WHEN array_to_string(_cy_x.l, '') <> _cy_x.p OR list_position(_cy_x.l, '$') < len(_cy_x.l)
      OR regexp_matches(array_to_string(_cy_x.l, chr(1)), '(^|\x01)\(\x01\?')
    THEN cy_no_pattern(_cy_x.p)
    ELSE array_to_string(list_transform(_cy_x.l, lambda _cy_p: cy_pattern_part(_cy_p)), '') END)[1];

CREATE OR REPLACE TEMP MACRO cy_pattern_part(p) AS
CASE WHEN p = '.' THEN '[^\n\r\x{85}\x{2028}\x{2029}]' WHEN p = '\s' THEN '[\s\x{B}]'
  WHEN p = '\S' THEN '[^\s\x{B}]' WHEN p = '\R' THEN '(?:\r\n|[\n\x{B}\f\r\x{85}\x{2028}\x{2029}])'
  WHEN p LIKE '[%&&[%' THEN cy_both(replace(p, '\s', '\s\x{B}'))
  WHEN p LIKE '[%' THEN replace(p, '\s', '\s\x{B}') ELSE p END;

-- What two classes share; the first one has ASCII characters only.

CREATE OR REPLACE TEMP MACRO cy_both(p) AS
coalesce('[' || nullif(array_to_string(list_transform(list_filter(range(128), lambda _cy_c:
    regexp_full_match(chr(_cy_c::INTEGER), split_part(p, '&&', 1) || ']')
    AND regexp_full_match(chr(_cy_c::INTEGER), left(split_part(p, '&&', 2), -1))),
  lambda _cy_c: format('\x{{{:x}}}', _cy_c)), ''), '') || ']', '[^\x{0}-\x{10FFFF}]');

CREATE OR REPLACE TEMP MACRO cy_ascii_lower(s) AS
translate(s, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
