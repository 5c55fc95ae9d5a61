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

-- A sigma at the end of a word has a form of its own. What a word is, is known here for letters,
-- digits beside letters and blanks, combining marks, and punctuation that joins nothing.

CREATE OR REPLACE TEMP MACRO cy_final_sigma(s) AS
CASE WHEN regexp_full_match(s, @SIGMA_KNOWN@) AND NOT regexp_matches(s, @SIGMA_JOINED@)
  THEN regexp_replace(s, @SIGMA_FINAL@, '\1ς\2\3', 'g')
  ELSE error(s || ' has a sigma in a word that cannot be told here') END;

CREATE OR REPLACE TEMP MACRO cy_reverse(s) AS
CASE WHEN strlen(s) = length(s) THEN reverse(s)
  ELSE array_to_string(list_reverse(string_split(s, '')), '') END;

CREATE OR REPLACE TEMP MACRO cy_replace(s, old, new) AS
CASE WHEN s IS NULL OR old IS NULL OR new IS NULL THEN NULL WHEN old <> '' THEN replace(s, old, new)
  WHEN s = '' THEN new ELSE new || array_to_string(string_split(cy_narrow(s), ''), new) || new END;

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

CREATE OR REPLACE TEMP MACRO cy_split(s, sep) AS
CASE WHEN sep = '' THEN string_split(cy_narrow(s), '') ELSE string_split(s, sep) END;

-- Regular expressions. A border of words looks at combining marks, unlike RE2's.

CREATE OR REPLACE TEMP MACRO cy_unmarked(s) AS
CASE WHEN regexp_matches(s, '\p{Mn}') THEN error(s || ' has combining marks') ELSE s END;

-- Expressions that are known only when the query runs: letters, digits, blanks, points, bars,
-- quantifiers of one kind, groups, and (?i) at the beginning.

CREATE OR REPLACE TEMP MACRO cy_matches(s, p) AS
CASE WHEN s IS NULL OR p IS NULL THEN NULL WHEN contains(p, '\') OR contains(p, '[') OR contains(p, '$')
    OR contains(p, '{') OR contains(substring(p, 2), '^')
    OR regexp_matches(p, '[*+?][*+?]|\(\?') AND NOT regexp_full_match(p, '\(\?i\)([^*+?(]|[^*+?(][*+?]|\([^?*+])*')
  THEN error(p || ' is a regular expression that cannot be read here')
  WHEN starts_with(p, '(?i)') THEN regexp_full_match(cy_ascii_lower(s), cy_points(cy_ascii_lower(substring(p, 5))))
  ELSE regexp_full_match(s, cy_points(p)) END;

CREATE OR REPLACE TEMP MACRO cy_points(p) AS
replace(p, '.', '[^\n\r\x{85}\x{2028}\x{2029}]');

CREATE OR REPLACE TEMP MACRO cy_ascii_lower(s) AS
translate(s, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
