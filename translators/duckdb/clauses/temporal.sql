-- Temporal values. Dates are DATE, times TIME and datetimes TIMESTAMP, as they are stored. Finer than
-- a microsecond, times are nanoseconds of the day and datetimes nanoseconds since 1970, on the local
-- clock. With a zone: the instant (`at`), the offset in seconds, the zone's name
-- or ''; in this order they sort as Cypher sorts them. Durations: months,
-- days, nanoseconds.
--
-- DuckDB writes an argument out at each of its uses. Where that would grow, list_transform([x], lambda
-- _cy_p: ...)[1] computes it once; in the lambda only its parameter is used, because an argument could
-- hold a parameter of the same name. DuckDB takes such a name for a table or column that is called so,
-- which is why they all begin with _cy_.

CREATE OR REPLACE TEMP MACRO cy_clock(n) AS
(((n % 86400000000000) + 86400000000000) % 86400000000000)::BIGINT;

CREATE OR REPLACE TEMP MACRO cy_day(n) AS
DATE '1970-01-01' + ((n - cy_clock(n)) // 86400000000000)::INTEGER;

CREATE OR REPLACE TEMP MACRO cy_moment(d, c) AS
(d - DATE '1970-01-01')::HUGEINT * 86400000000000 + c;

CREATE OR REPLACE TEMP MACRO cy_local(z) AS z.at + z."offset"::HUGEINT * 1000000000;

-- Texts: of Cypher's toString, without zeros at the end of a fraction; of results (shown), with six
-- or nine digits and without the names of zones.

CREATE OR REPLACE TEMP MACRO cy_date_text(d) AS
CASE WHEN year(d) BETWEEN 1 AND 9999 THEN d::VARCHAR
  ELSE CASE WHEN year(d) < 0 THEN '-' WHEN year(d) > 9999 THEN '+' ELSE '' END
    || format('{:04d}-{:02d}-{:02d}', abs(year(d)), month(d), day(d)) END;

CREATE OR REPLACE TEMP MACRO cy_clock_text(c) AS
format('{:02d}:{:02d}:{:02d}', c // 3600000000000, c // 60000000000 % 60, c // 1000000000 % 60)
  || CASE WHEN c % 1000000000 = 0 THEN '' ELSE rtrim(format('.{:09d}', c % 1000000000), '0') END;

CREATE OR REPLACE TEMP MACRO cy_clock_shown(c) AS
format('{:02d}:{:02d}:{:02d}', c // 3600000000000, c // 60000000000 % 60, c // 1000000000 % 60)
  || CASE WHEN c % 1000000000 = 0 THEN ''
    WHEN c % 1000 = 0 THEN format('.{:06d}', c // 1000 % 1000000)
    ELSE format('.{:09d}', c % 1000000000) END;

CREATE OR REPLACE TEMP MACRO cy_offset_text(o) AS
CASE WHEN o = 0 THEN 'Z' ELSE CASE WHEN o < 0 THEN '-' ELSE '+' END
  || format('{:02d}:{:02d}', abs(o) // 3600, abs(o) // 60 % 60)
  || CASE WHEN o % 60 = 0 THEN '' ELSE format(':{:02d}', abs(o) % 60) END END;

CREATE OR REPLACE TEMP MACRO cy_datetime_text(n) AS
list_transform([struct_pack(d := cy_day(n), c := cy_clock(n))],
  lambda _cy_p: cy_date_text(_cy_p.d) || 'T' || cy_clock_text(_cy_p.c))[1];

CREATE OR REPLACE TEMP MACRO cy_datetime_shown(n) AS
list_transform([struct_pack(d := cy_day(n), c := cy_clock(n))],
  lambda _cy_p: cy_date_text(_cy_p.d) || 'T' || cy_clock_shown(_cy_p.c))[1];

CREATE OR REPLACE TEMP MACRO cy_zoned_text(z) AS
list_transform([z], lambda _cy_p: cy_datetime_text(cy_local(_cy_p)) || cy_offset_text(_cy_p."offset")
  || CASE WHEN _cy_p.zone = '' THEN '' ELSE '[' || _cy_p.zone || ']' END)[1];

CREATE OR REPLACE TEMP MACRO cy_zoned_shown(z) AS
list_transform([z], lambda _cy_p: cy_datetime_shown(cy_local(_cy_p)) || cy_offset_text(_cy_p."offset"))[1];

CREATE OR REPLACE TEMP MACRO cy_zoned_time_text(z) AS
list_transform([struct_pack(c := cy_clock(cy_local(z)), o := z."offset")],
  lambda _cy_p: cy_clock_text(_cy_p.c) || cy_offset_text(_cy_p.o))[1];

CREATE OR REPLACE TEMP MACRO cy_zoned_time_shown(z) AS
list_transform([struct_pack(c := cy_clock(cy_local(z)), o := z."offset")],
  lambda _cy_p: cy_clock_shown(_cy_p.c) || cy_offset_text(_cy_p.o))[1];

CREATE OR REPLACE TEMP MACRO cy_unit(n, u) AS CASE WHEN n = 0 THEN '' ELSE n || u END;

CREATE OR REPLACE TEMP MACRO cy_seconds_text(n) AS
CASE WHEN n % 60000000000 = 0 THEN '' ELSE CASE WHEN n % 60000000000 < 0 THEN '-' ELSE '' END
  || abs(n % 60000000000) // 1000000000 || CASE WHEN n % 1000000000 = 0 THEN ''
    ELSE '.' || rtrim(format('{:09d}', abs(n % 1000000000)::BIGINT), '0') END || 'S' END;

CREATE OR REPLACE TEMP MACRO cy_span_text(s) AS list_transform([s], lambda _cy_p:
  CASE WHEN _cy_p IS NULL THEN NULL WHEN _cy_p.months = 0 AND _cy_p.days = 0 AND _cy_p.nanos = 0 THEN 'PT0S'
  ELSE 'P' || cy_unit(_cy_p.months // 12, 'Y') || cy_unit(_cy_p.months % 12, 'M') || cy_unit(_cy_p.days, 'D')
    || CASE WHEN _cy_p.nanos = 0 THEN '' ELSE 'T' || cy_unit(_cy_p.nanos // 3600000000000, 'H')
      || cy_unit(_cy_p.nanos // 60000000000 % 60, 'M') || cy_seconds_text(_cy_p.nanos) END END)[1];

-- Reading texts.

CREATE OR REPLACE TEMP MACRO cy_no(s, wanted) AS error(s || ' is no ' || wanted);

CREATE OR REPLACE TEMP MACRO cy_parse_date(s) AS
CASE WHEN s IS NULL THEN NULL WHEN regexp_full_match(s, '\d{4}-\d\d-\d\d') THEN s::DATE
  ELSE cy_no(s, 'date that can be read here') END;

CREATE OR REPLACE TEMP MACRO cy_parse_clock(s) AS
CASE WHEN s IS NULL THEN NULL
  WHEN regexp_full_match(s, '(0?\d|1\d|2[0-3])(:[0-5]?\d(:[0-5]?\d([.,]\d{1,9})?)?)?')
  THEN cy_clock_of(regexp_extract(s, '^(\d+)(?::(\d+)(?::(\d+)(?:[.,](\d+))?)?)?$', ['h', 'm', 's', 'f']))
  WHEN regexp_full_match(s, '([01]\d|2[0-3])[0-5]\d([0-5]\d([.,]\d{1,9})?)?')
  THEN cy_clock_of(regexp_extract(s, '^(..)(..)(..)?(?:[.,](\d+))?$', ['h', 'm', 's', 'f']))
  ELSE cy_no(s, 'time that can be read here') END;

CREATE OR REPLACE TEMP MACRO cy_clock_of(p) AS
p.h::BIGINT * 3600000000000 + cy_whole(p.m) * 60000000000 + cy_whole(p.s) * 1000000000
  + cy_whole(rpad(nullif(p.f, ''), 9, '0'));

CREATE OR REPLACE TEMP MACRO cy_parse_datetime(s) AS
CASE WHEN contains(s, 'T') THEN
  cy_moment(cy_parse_date(split_part(s, 'T', 1)), cy_parse_clock(split_part(s, 'T', 2)))
  ELSE cy_moment(cy_parse_date(s), 0) END;

CREATE OR REPLACE TEMP MACRO cy_parse_offset(s) AS
CASE WHEN s = 'Z' THEN 0
  WHEN regexp_full_match(s, '[-+]((0\d|1[0-7])(:?[0-5]\d(:?[0-5]\d)?)?|18(:?00(:?00)?)?)') THEN
  CASE WHEN s LIKE '-%' THEN -1 ELSE 1 END
    * (rpad(replace(substring(s, 2), ':', ''), 6, '0')[1:2]::INTEGER * 3600
      + rpad(replace(substring(s, 2), ':', ''), 6, '0')[3:4]::INTEGER * 60
      + rpad(replace(substring(s, 2), ':', ''), 6, '0')[5:6]::INTEGER)
  ELSE cy_no(s, 'offset') END;

-- The clock of a zoned value's zone at another instant.

CREATE OR REPLACE TEMP MACRO cy_local_in(n, z) AS
list_transform([struct_pack(n := n, z := z)], lambda _cy_p: CASE WHEN _cy_p.z.zone = ''
  THEN _cy_p.n + _cy_p.z."offset"::HUGEINT * 1000000000
  ELSE epoch_us(timezone(_cy_p.z.zone, make_timestamptz(((_cy_p.n - cy_below(_cy_p.n)) // 1000)::BIGINT)))::HUGEINT
    * 1000 + cy_below(_cy_p.n) END)[1];

CREATE OR REPLACE TEMP MACRO cy_below(n) AS ((n % 1000) + 1000) % 1000;

-- A local time of a named zone: its instant, in microseconds, and the offset there, in seconds. A time
-- that the clocks leave out when they are put forward is as much later; of the two that they show when
-- they are put back it is the first, which has the offset of three hours before.

CREATE OR REPLACE TEMP MACRO cy_zone_instant(zone, n) AS
list_transform([struct_pack(zone := zone, n := ((n - cy_below(n)) // 1000)::BIGINT)], lambda _cy_p:
  list_filter([cy_zone_first(_cy_p.zone, _cy_p.n, epoch_us(timezone(_cy_p.zone, make_timestamp(_cy_p.n)))),
      epoch_us(timezone(_cy_p.zone, make_timestamp(_cy_p.n)))],
    lambda _cy_u: _cy_u IS NOT NULL)[1])[1];

CREATE OR REPLACE TEMP MACRO cy_zone_first(zone, n, u) AS
list_transform([n - cy_zone_offset(zone, u - 10800000000) * 1000000], lambda _cy_u:
  CASE WHEN _cy_u + cy_zone_offset(zone, _cy_u) * 1000000 = n THEN _cy_u END)[1];

CREATE OR REPLACE TEMP MACRO cy_zone_offset(zone, u) AS
(epoch_us(timezone(zone, make_timestamptz(u))) - u) // 1000000;

CREATE OR REPLACE TEMP MACRO cy_zoned_parts(s) AS
regexp_extract(s, '^(.*?)(Z|[-+]\d\d(?::?\d\d(?::?\d\d)?)?)?(?:\[(.*)\])?$', ['l', 'o', 'z']);

CREATE OR REPLACE TEMP MACRO cy_zoned_of(p) AS
list_transform([struct_pack(n := cy_parse_datetime(p.l), z := p.z,
  o := CASE WHEN p.o <> '' THEN cy_parse_offset(p.o) WHEN p.z = '' THEN 0 END,
  u := CASE WHEN p.o = '' AND p.z <> '' THEN cy_zone_instant(p.z, cy_parse_datetime(p.l)) END)],
  lambda _cy_x: CASE WHEN _cy_x.u IS NULL
    THEN struct_pack(at := _cy_x.n - _cy_x.o::HUGEINT * 1000000000, "offset" := _cy_x.o::INTEGER, zone := _cy_x.z)
    ELSE struct_pack(at := _cy_x.u::HUGEINT * 1000 + cy_below(_cy_x.n),
      "offset" := cy_zone_offset(_cy_x.z, _cy_x.u)::INTEGER, zone := _cy_x.z) END)[1];

CREATE OR REPLACE TEMP MACRO cy_parse_zoned(s) AS
CASE WHEN s IS NULL THEN NULL WHEN NOT contains(s, 'T') THEN
    struct_pack(at := cy_parse_datetime(s), "offset" := 0::INTEGER, zone := '')
  ELSE cy_zoned_of(cy_zoned_parts(s)) END;

CREATE OR REPLACE TEMP MACRO cy_zoned_time_of(p) AS
struct_pack(at := (cy_parse_clock(p.l)
    - CASE WHEN p.o <> '' THEN cy_parse_offset(p.o) ELSE 0 END::BIGINT * 1000000000)::BIGINT,
  "offset" := CASE WHEN p.o <> '' THEN cy_parse_offset(p.o) ELSE 0 END::INTEGER);

CREATE OR REPLACE TEMP MACRO cy_parse_zoned_time(s) AS
CASE WHEN s IS NULL THEN NULL ELSE cy_zoned_time_of(cy_zoned_parts(s)) END;

CREATE OR REPLACE TEMP MACRO cy_whole(s) AS coalesce(TRY_CAST(nullif(s, '') AS BIGINT), 0);

CREATE OR REPLACE TEMP MACRO cy_span_of(p) AS struct_pack(
  months := cy_whole(p.y) * 12 + cy_whole(p.mo), days := cy_whole(p.w) * 7 + cy_whole(p.d),
  nanos := (cy_whole(p.h)::HUGEINT * 3600 + cy_whole(p.mi) * 60 + cy_whole(p.s)) * 1000000000
    + CASE WHEN p.s LIKE '-%' THEN -1 ELSE 1 END * cy_whole(rpad(nullif(p.f, ''), 9, '0')));

CREATE OR REPLACE TEMP MACRO cy_parse_span(s) AS
CASE WHEN s IS NULL THEN NULL WHEN regexp_full_match(s, 'P(-?\d+Y)?(-?\d+M)?(-?\d+W)?(-?\d+D)?'
    || '(T(-?\d+H)?(-?\d+M)?(-?\d+([.,]\d{1,9})?S)?)?') AND NOT regexp_matches(s, '[PT]$')
  THEN cy_span_of(regexp_extract(s, '^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?'
    || '(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+)(?:[.,](\d{1,9}))?S)?)?$',
    ['y', 'mo', 'w', 'd', 'h', 'mi', 's', 'f']))
  ELSE cy_no(s, 'duration that can be read here') END;

-- Sums. A named zone has rules that a sum of days has to follow, which nothing here knows.

CREATE OR REPLACE TEMP MACRO cy_fixed(z) AS
CASE WHEN z.zone = '' OR z IS NULL THEN z ELSE error('days are not added in the zone ' || z.zone) END;

CREATE OR REPLACE TEMP MACRO cy_plus_months(n, m) AS
list_transform([struct_pack(n := n, m := m)], lambda _cy_p:
  cy_moment((cy_day(_cy_p.n) + to_months(_cy_p.m::INTEGER))::DATE, cy_clock(_cy_p.n)))[1];

CREATE OR REPLACE TEMP MACRO cy_date_plus(d, s, sign) AS
((d + to_months((sign * s.months)::INTEGER))::DATE + (sign * s.days)::INTEGER
  + (sign * s.nanos // 86400000000000)::INTEGER)::DATE;

CREATE OR REPLACE TEMP MACRO cy_plus(n, s, sign) AS
list_transform([struct_pack(n := n, s := s, sign := sign)], lambda _cy_p:
  cy_plus_months(_cy_p.n, _cy_p.sign * _cy_p.s.months) + (_cy_p.sign * _cy_p.s.days)::HUGEINT * 86400000000000
    + _cy_p.sign * _cy_p.s.nanos)[1];

CREATE OR REPLACE TEMP MACRO cy_clock_plus(c, s, sign) AS cy_clock(c + sign * s.nanos);

CREATE OR REPLACE TEMP MACRO cy_zoned_time_plus(z, s, sign) AS
list_transform([struct_pack(z := z, n := sign * s.nanos)], lambda _cy_p:
  CASE WHEN _cy_p.z IS NULL OR _cy_p.n IS NULL THEN NULL ELSE struct_pack(
    at := (cy_clock(cy_local(_cy_p.z) + _cy_p.n) - _cy_p.z."offset"::BIGINT * 1000000000)::BIGINT,
    "offset" := _cy_p.z."offset") END)[1];

CREATE OR REPLACE TEMP MACRO cy_zoned_plus(z, s, sign) AS
list_transform([struct_pack(z := cy_fixed(z), s := s, sign := sign)], lambda _cy_p:
  CASE WHEN _cy_p.z IS NULL OR _cy_p.s IS NULL THEN NULL ELSE struct_pack(
    at := cy_plus(cy_local(_cy_p.z), _cy_p.s, _cy_p.sign) - _cy_p.z."offset"::HUGEINT * 1000000000,
    "offset" := _cy_p.z."offset", zone := _cy_p.z.zone) END)[1];

CREATE OR REPLACE TEMP MACRO cy_span_plus(a, b, sign) AS
list_transform([struct_pack(a := a, b := b, sign := sign)], lambda _cy_p:
  CASE WHEN _cy_p.a.months + _cy_p.a.days + _cy_p.a.nanos + _cy_p.b.months + _cy_p.b.days + _cy_p.b.nanos
    IS NULL THEN NULL ELSE struct_pack(months := _cy_p.a.months + _cy_p.sign * _cy_p.b.months, days := _cy_p.a.days + _cy_p.sign * _cy_p.b.days,
    nanos := _cy_p.a.nanos + _cy_p.sign * _cy_p.b.nanos) END)[1];

-- A duration times p / q; a month is 30.436875 days where it breaks.

CREATE OR REPLACE TEMP MACRO cy_scale_days(m, days, nanos, q) AS struct_pack(months := m,
  days := (days // (q * 1000000))::BIGINT,
  nanos := CASE WHEN abs(m::DOUBLE * 2629746e0 + days::DOUBLE / q * 86400e-6 + nanos::DOUBLE / q * 1e-9)
      < 9223372036854775807e0
    THEN (nanos * 1000000 + days % (q * 1000000) * 86400000000000) // (q * 1000000)
    ELSE error('the duration is too large') END);

CREATE OR REPLACE TEMP MACRO cy_scale(s, p, q) AS
list_transform([struct_pack(s := s, p := p, q := q)], lambda _cy_x:
  CASE WHEN _cy_x.s IS NULL THEN NULL ELSE cy_scale_days((_cy_x.s.months::HUGEINT * _cy_x.p // _cy_x.q)::BIGINT,
    _cy_x.s.days::HUGEINT * _cy_x.p * 1000000 + _cy_x.s.months::HUGEINT * _cy_x.p % _cy_x.q * 30436875,
    _cy_x.s.nanos::HUGEINT * _cy_x.p, _cy_x.q::HUGEINT) END)[1];

-- A duration times or divided by a float, part by part in 64-bit floats as Neo4j reckons: what is no
-- whole month is days, no whole day seconds.

CREATE OR REPLACE TEMP MACRO cy_of_parts(m, d, s, n) AS
list_transform([struct_pack(m := m, d := d + (m - trunc(m)) * 2629746e9 / 86400e9, s := s, n := n)],
  lambda _cy_x: cy_of_days(_cy_x))[1];

CREATE OR REPLACE TEMP MACRO cy_of_days(p) AS
list_transform([struct_pack(m := p.m, d := p.d, s := p.s + (p.d - trunc(p.d)) * 86400e9 / 1e9, n := p.n)],
  lambda _cy_y: struct_pack(months := trunc(_cy_y.m)::BIGINT, days := trunc(_cy_y.d)::BIGINT,
    nanos := CASE WHEN abs(_cy_y.n) < 9223372036854775807e0
        AND abs(_cy_y.m * 2629746e0 + _cy_y.d * 86400e0 + _cy_y.s) < 9223372036854775807e0
      THEN trunc(_cy_y.s)::HUGEINT * 1000000000 + trunc(_cy_y.n + (_cy_y.s - trunc(_cy_y.s)) * 1e9)::HUGEINT
      ELSE error('the duration is too large') END))[1];

CREATE OR REPLACE TEMP MACRO cy_second(n) AS ((n % 1000000000) + 1000000000) % 1000000000;

CREATE OR REPLACE TEMP MACRO cy_times(s, f) AS
list_transform([s], lambda _cy_p: CASE WHEN _cy_p IS NULL THEN NULL ELSE cy_of_parts(
  _cy_p.months::DOUBLE * f, _cy_p.days::DOUBLE * f,
  ((_cy_p.nanos - cy_second(_cy_p.nanos)) // 1000000000)::DOUBLE * f, cy_second(_cy_p.nanos)::DOUBLE * f) END)[1];

CREATE OR REPLACE TEMP MACRO cy_over(s, f) AS
list_transform([s], lambda _cy_p: CASE WHEN _cy_p IS NULL THEN NULL ELSE cy_of_parts(
  _cy_p.months::DOUBLE / f, _cy_p.days::DOUBLE / f,
  ((_cy_p.nanos - cy_second(_cy_p.nanos)) // 1000000000)::DOUBLE / f, cy_second(_cy_p.nanos)::DOUBLE / f) END)[1];

-- The mean of durations as Neo4j reckons it: a running one of each part, in the order of the rows.

CREATE OR REPLACE TEMP MACRO cy_span_mean(l) AS
list_transform([list_reduce(list_transform(l, lambda _cy_p: struct_pack(m := _cy_p.months::DOUBLE,
    d := _cy_p.days::DOUBLE, s := ((_cy_p.nanos - cy_second(_cy_p.nanos)) // 1000000000)::DOUBLE,
    n := cy_second(_cy_p.nanos)::DOUBLE, c := 1e0)),
  lambda _cy_a, _cy_b: struct_pack(m := _cy_a.m + (_cy_b.m - _cy_a.m) / (_cy_a.c + 1e0),
    d := _cy_a.d + (_cy_b.d - _cy_a.d) / (_cy_a.c + 1e0), s := _cy_a.s + (_cy_b.s - _cy_a.s) / (_cy_a.c + 1e0),
    n := _cy_a.n + (_cy_b.n - _cy_a.n) / (_cy_a.c + 1e0), c := _cy_a.c + 1e0))],
  lambda _cy_q: cy_whole_days(cy_of_parts(_cy_q.m, _cy_q.d, _cy_q.s, _cy_q.n)))[1];

CREATE OR REPLACE TEMP MACRO cy_whole_days(s) AS
list_transform([s], lambda _cy_p: CASE WHEN _cy_p.nanos < 86400000000000 THEN _cy_p
  ELSE struct_pack(months := _cy_p.months, days := _cy_p.days + (_cy_p.nanos // 86400000000000)::BIGINT,
    nanos := _cy_p.nanos % 86400000000000) END)[1];

-- Orders durations as their mean lengths, and those of one length by months, then days.

CREATE OR REPLACE TEMP MACRO cy_span_length(s) AS
(s.months::HUGEINT * 2629746000000000 + s.days::HUGEINT * 86400000000000 + s.nanos)
  * 1000000000000000 + s.months::HUGEINT * 100000000 + s.days;

-- What lies between two local times (java.time.temporal.ChronoUnit.between).

CREATE OR REPLACE TEMP MACRO cy_span(m, d, n) AS
struct_pack(months := m::BIGINT, days := d::BIGINT, nanos := n::HUGEINT);

-- The same where a part may be null, so that all of it is.
CREATE OR REPLACE TEMP MACRO cy_known_span(m, d, n) AS
list_transform([struct_pack(m := m, d := d, n := n)], lambda _cy_p:
  CASE WHEN _cy_p.m IS NOT NULL AND _cy_p.d IS NOT NULL AND _cy_p.n IS NOT NULL THEN cy_span(_cy_p.m, _cy_p.d, _cy_p.n) END)[1];

CREATE OR REPLACE TEMP MACRO cy_packed(d) AS (year(d) * 12 + month(d)) * 32 + day(d);

CREATE OR REPLACE TEMP MACRO cy_months_between(a, b) AS
list_transform([struct_pack(a := cy_day(a), b := cy_day(b), c := cy_clock(a), d := cy_clock(b))],
  lambda _cy_p: (cy_packed((_cy_p.b + CASE WHEN _cy_p.b > _cy_p.a AND _cy_p.d < _cy_p.c THEN -1
    WHEN _cy_p.b < _cy_p.a AND _cy_p.d > _cy_p.c THEN 1 ELSE 0 END)::DATE) - cy_packed(_cy_p.a)) // 32)[1];

CREATE OR REPLACE TEMP MACRO cy_days_between(a, b) AS ((b - a) // 86400000000000)::BIGINT;

CREATE OR REPLACE TEMP MACRO cy_rest(m, a, b) AS
list_transform([struct_pack(m := m, n := b - a)], lambda _cy_p: cy_span(_cy_p.m,
  _cy_p.n // 86400000000000, _cy_p.n % 86400000000000))[1];

CREATE OR REPLACE TEMP MACRO cy_between(a, b) AS
list_transform([struct_pack(a := a, b := b, m := cy_months_between(a, b))], lambda _cy_p:
  CASE WHEN _cy_p.m IS NULL THEN NULL ELSE cy_rest(_cy_p.m, cy_plus_months(_cy_p.a, _cy_p.m), _cy_p.b) END)[1];
