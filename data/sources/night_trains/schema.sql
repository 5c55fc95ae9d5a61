-- Night trains through Europe: their lines, coaches, crews, travellers, and what went wrong.
-- Dates are ISO text (2025-05-01), times 21:30:00, date-times 2025-05-01T21:30:00,
-- booleans 0 and 1, money in euros, distances in kilometres.

CREATE TABLE station (
    station_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    town TEXT NOT NULL,
    country TEXT NOT NULL,
    latitude DECIMAL(6, 3) NOT NULL,
    longitude DECIMAL(6, 3) NOT NULL,
    platforms INTEGER NOT NULL CHECK (platforms > 0),
    has_lounge BOOLEAN NOT NULL
);

-- Between neighbours, once for each pair, from the one with the lower number.
CREATE TABLE track (
    from_station_id INTEGER NOT NULL REFERENCES station (station_id),
    to_station_id INTEGER NOT NULL REFERENCES station (station_id),
    length_km INTEGER NOT NULL,
    max_speed_kmh INTEGER NOT NULL,
    PRIMARY KEY (from_station_id, to_station_id)
);

CREATE TABLE operator (
    operator_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    founded_year INTEGER NOT NULL
);

CREATE TABLE line (
    line_id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    operator_id INTEGER NOT NULL REFERENCES operator (operator_id),
    opened_year INTEGER NOT NULL,
    bicycles BOOLEAN NOT NULL
);

-- Where a line calls; the first stop has no arrival and the last no departure.
CREATE TABLE line_stop (
    line_id INTEGER NOT NULL REFERENCES line (line_id),
    stop_no INTEGER NOT NULL,
    station_id INTEGER NOT NULL REFERENCES station (station_id),
    arrives_at TIME,
    departs_at TIME,
    nights_later INTEGER NOT NULL CHECK (nights_later IN (0, 1)),
    km_from_start INTEGER NOT NULL,
    PRIMARY KEY (line_id, stop_no)
);

-- One night of a line.
CREATE TABLE train (
    train_id INTEGER PRIMARY KEY,
    line_id INTEGER NOT NULL REFERENCES line (line_id),
    runs_on DATE NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('ran', 'cancelled', 'scheduled')),
    delay_min INTEGER,
    UNIQUE (line_id, runs_on)
);

CREATE TABLE coach (
    coach_id INTEGER PRIMARY KEY,
    coach_number TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('sleeping car', 'couchette car', 'seated coach')),
    operator_id INTEGER NOT NULL REFERENCES operator (operator_id),
    built_year INTEGER NOT NULL,
    refurbished_year INTEGER,
    places INTEGER NOT NULL,
    wheelchair_access BOOLEAN NOT NULL
);

-- Which coach stands where in a train.
CREATE TABLE formation (
    train_id INTEGER NOT NULL REFERENCES train (train_id),
    position INTEGER NOT NULL,
    coach_id INTEGER NOT NULL REFERENCES coach (coach_id),
    PRIMARY KEY (train_id, position)
);

CREATE TABLE traveller (
    traveller_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    born_on DATE NOT NULL,
    home_station_id INTEGER REFERENCES station (station_id),
    referred_by INTEGER REFERENCES traveller (traveller_id),
    email TEXT UNIQUE
);

CREATE TABLE booking (
    booking_id INTEGER PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    traveller_id INTEGER NOT NULL REFERENCES traveller (traveller_id),
    booked_at DATETIME NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('app', 'website', 'counter', 'telephone')),
    status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled', 'refunded'))
);

-- A place in a coach of one train, from one station to another.
CREATE TABLE journey_leg (
    booking_id INTEGER NOT NULL REFERENCES booking (booking_id),
    leg_no INTEGER NOT NULL,
    train_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    place_no INTEGER NOT NULL,
    from_station_id INTEGER NOT NULL REFERENCES station (station_id),
    to_station_id INTEGER NOT NULL REFERENCES station (station_id),
    fare DECIMAL(6, 2) NOT NULL,
    PRIMARY KEY (booking_id, leg_no),
    FOREIGN KEY (train_id, position) REFERENCES formation (train_id, position)
);

CREATE TABLE employee (
    employee_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    job_title TEXT NOT NULL CHECK (job_title IN ('train manager', 'attendant', 'driver')),
    operator_id INTEGER NOT NULL REFERENCES operator (operator_id),
    mentor_id INTEGER REFERENCES employee (employee_id),
    hired_on DATE NOT NULL,
    monthly_pay INTEGER NOT NULL
);

CREATE TABLE duty (
    train_id INTEGER NOT NULL REFERENCES train (train_id),
    employee_id INTEGER NOT NULL REFERENCES employee (employee_id),
    hours DECIMAL(4, 1) NOT NULL,
    PRIMARY KEY (train_id, employee_id)
);

CREATE TABLE incident (
    incident_id INTEGER PRIMARY KEY,
    train_id INTEGER NOT NULL REFERENCES train (train_id),
    station_id INTEGER REFERENCES station (station_id),
    cause TEXT NOT NULL,
    minutes_lost INTEGER NOT NULL,
    police_called BOOLEAN NOT NULL
);

CREATE TABLE complaint (
    complaint_id INTEGER PRIMARY KEY,
    booking_id INTEGER NOT NULL REFERENCES booking (booking_id),
    filed_on DATE NOT NULL,
    topic TEXT NOT NULL,
    answered_on DATE,
    compensation DECIMAL(6, 2)
);
