-- A network of museums that lend works of art to each other.
-- Dates are ISO text (2021-05-01), times 09:30:00, date-times 2021-05-01T09:30:00,
-- booleans 0 and 1, money in euros.

CREATE TABLE city (
    city_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT NOT NULL,
    population INTEGER NOT NULL,
    coastal BOOLEAN NOT NULL
);

CREATE TABLE museum (
    museum_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    city_id INTEGER NOT NULL REFERENCES city (city_id),
    founded_year INTEGER NOT NULL,
    opens_at TIME NOT NULL,
    closes_at TIME NOT NULL,
    annual_visitors INTEGER NOT NULL,
    admission_fee DECIMAL(5, 2) NOT NULL,
    free_sundays BOOLEAN NOT NULL
);

-- One-to-one with museum; small museums have no profile.
CREATE TABLE museum_profile (
    museum_id INTEGER PRIMARY KEY REFERENCES museum (museum_id),
    website TEXT NOT NULL,
    motto TEXT,
    restoration_lab BOOLEAN NOT NULL,
    storage_m2 DECIMAL(8, 1) NOT NULL
);

CREATE TABLE room (
    museum_id INTEGER NOT NULL REFERENCES museum (museum_id),
    room_no INTEGER NOT NULL,
    name TEXT,
    floor INTEGER NOT NULL,
    area_m2 DECIMAL(6, 1) NOT NULL,
    climate_controlled BOOLEAN NOT NULL,
    PRIMARY KEY (museum_id, room_no)
);

CREATE TABLE staff (
    staff_id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    job_title TEXT NOT NULL,
    museum_id INTEGER NOT NULL REFERENCES museum (museum_id),
    supervisor_id INTEGER REFERENCES staff (staff_id),
    hired_on DATE NOT NULL,
    salary DECIMAL(9, 2) NOT NULL,
    email TEXT
);

CREATE TABLE movement (
    movement_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    start_year INTEGER NOT NULL,
    end_year INTEGER
);

CREATE TABLE artist (
    artist_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    birth_year INTEGER NOT NULL,
    death_year INTEGER,
    birth_city_id INTEGER REFERENCES city (city_id),
    death_city_id INTEGER REFERENCES city (city_id),
    teacher_id INTEGER REFERENCES artist (artist_id)
);

CREATE TABLE artist_movement (
    artist_id INTEGER NOT NULL REFERENCES artist (artist_id),
    movement_id INTEGER NOT NULL REFERENCES movement (movement_id),
    PRIMARY KEY (artist_id, movement_id)
);

-- room_no is NULL for works in storage; the room belongs to the owner.
CREATE TABLE artwork (
    artwork_id INTEGER PRIMARY KEY,
    "catalogue number" TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    genre TEXT NOT NULL,
    medium TEXT NOT NULL,
    year_made INTEGER,
    height_cm DECIMAL(6, 1) NOT NULL,
    width_cm DECIMAL(6, 1) NOT NULL,
    signed BOOLEAN NOT NULL,
    owner_id INTEGER NOT NULL REFERENCES museum (museum_id),
    room_no INTEGER,
    acquired_on DATE,
    insured_value DECIMAL(12, 2) NOT NULL,
    FOREIGN KEY (owner_id, room_no) REFERENCES room (museum_id, room_no)
);

CREATE TABLE "artwork creator" (
    artwork_id INTEGER NOT NULL REFERENCES artwork (artwork_id),
    artist_id INTEGER NOT NULL REFERENCES artist (artist_id),
    role TEXT NOT NULL,
    certain BOOLEAN NOT NULL,
    PRIMARY KEY (artwork_id, artist_id)
);

CREATE TABLE exhibition (
    exhibition_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    museum_id INTEGER NOT NULL REFERENCES museum (museum_id),
    curator_id INTEGER REFERENCES staff (staff_id),
    opens_on DATE NOT NULL,
    closes_on DATE NOT NULL,
    ticket_price DECIMAL(5, 2) NOT NULL,
    visitors INTEGER,
    travelling BOOLEAN NOT NULL
);

-- Which work hung in which room for which exhibition.
CREATE TABLE placement (
    exhibition_id INTEGER NOT NULL REFERENCES exhibition (exhibition_id),
    artwork_id INTEGER NOT NULL REFERENCES artwork (artwork_id),
    museum_id INTEGER NOT NULL,
    room_no INTEGER NOT NULL,
    "group" TEXT,
    hung_on DATE NOT NULL,
    PRIMARY KEY (exhibition_id, artwork_id),
    FOREIGN KEY (museum_id, room_no) REFERENCES room (museum_id, room_no)
);

CREATE TABLE loan (
    loan_id INTEGER PRIMARY KEY,
    artwork_id INTEGER NOT NULL REFERENCES artwork (artwork_id),
    lender_id INTEGER NOT NULL REFERENCES museum (museum_id),
    borrower_id INTEGER NOT NULL REFERENCES museum (museum_id),
    exhibition_id INTEGER REFERENCES exhibition (exhibition_id),
    courier_id INTEGER REFERENCES staff (staff_id),
    signed_on DATE NOT NULL,
    starts_on DATE NOT NULL,
    ends_on DATE NOT NULL,
    fee DECIMAL(9, 2) NOT NULL,
    status TEXT NOT NULL
);

CREATE TABLE tour (
    tour_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    museum_id INTEGER NOT NULL REFERENCES museum (museum_id),
    guide_id INTEGER REFERENCES staff (staff_id),
    language TEXT NOT NULL,
    starts_at TIME NOT NULL,
    duration_min INTEGER NOT NULL
);

CREATE TABLE "tour stop" (
    tour_id INTEGER NOT NULL REFERENCES tour (tour_id),
    "order" INTEGER NOT NULL,
    artwork_id INTEGER NOT NULL REFERENCES artwork (artwork_id),
    minutes INTEGER NOT NULL,
    PRIMARY KEY (tour_id, "order")
);

-- Sensors write here; nothing identifies a row.
CREATE TABLE climate_reading (
    museum_id INTEGER NOT NULL,
    room_no INTEGER NOT NULL,
    taken_at DATETIME NOT NULL,
    temperature_c REAL NOT NULL,
    humidity REAL,
    alarm BOOLEAN NOT NULL,
    FOREIGN KEY (museum_id, room_no) REFERENCES room (museum_id, room_no)
);
