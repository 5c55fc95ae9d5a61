-- A cooperative of grain farmers: fields, harvests, lots and how they are mixed, sales to mills.
-- Dates are ISO text (2025-07-21), date-times 2025-07-21T14:05:00, booleans 0 and 1,
-- weights in tonnes, areas in hectares, money in euros.

CREATE TABLE district (
    district_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    province TEXT NOT NULL,
    altitude_m INTEGER NOT NULL
);

CREATE TABLE farm (
    farm_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    farmer TEXT NOT NULL,
    district_id INTEGER NOT NULL REFERENCES district (district_id),
    joined_on DATE NOT NULL,
    left_on DATE,
    sponsor_id INTEGER REFERENCES farm (farm_id),
    shares INTEGER NOT NULL CHECK (shares > 0)
);

CREATE TABLE certificate (
    certificate_id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    farm_id INTEGER NOT NULL REFERENCES farm (farm_id),
    scheme TEXT NOT NULL,
    issued_on DATE NOT NULL,
    expires_on DATE NOT NULL,
    revoked_on DATE
);

CREATE TABLE crop (
    crop_id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    sown_in TEXT NOT NULL CHECK (sown_in IN ('autumn', 'spring')),
    moisture_limit DECIMAL(4, 1) NOT NULL
);

CREATE TABLE variety (
    variety_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    crop_id INTEGER NOT NULL REFERENCES crop (crop_id),
    registered_year INTEGER NOT NULL,
    bred_from INTEGER REFERENCES variety (variety_id)
);

CREATE TABLE field (
    farm_id INTEGER NOT NULL REFERENCES farm (farm_id),
    field_no INTEGER NOT NULL,
    hectares DECIMAL(5, 1) NOT NULL,
    soil TEXT NOT NULL,
    irrigated BOOLEAN NOT NULL,
    PRIMARY KEY (farm_id, field_no)
);

-- What stood on a field in a season, which is named after the year of harvest.
CREATE TABLE sowing (
    farm_id INTEGER NOT NULL,
    field_no INTEGER NOT NULL,
    season INTEGER NOT NULL,
    variety_id INTEGER NOT NULL REFERENCES variety (variety_id),
    sown_on DATE NOT NULL,
    harvested_on DATE,
    yield_t DECIMAL(7, 1),
    PRIMARY KEY (farm_id, field_no, season),
    FOREIGN KEY (farm_id, field_no) REFERENCES field (farm_id, field_no)
);

-- Collection points send to a regional elevator, elevators to a terminal on the river.
CREATE TABLE site (
    site_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('collection point', 'elevator', 'terminal')),
    district_id INTEGER NOT NULL REFERENCES district (district_id),
    sends_to INTEGER REFERENCES site (site_id),
    opened_year INTEGER NOT NULL
);

CREATE TABLE silo (
    site_id INTEGER NOT NULL REFERENCES site (site_id),
    silo_no INTEGER NOT NULL,
    capacity_t INTEGER NOT NULL,
    cooled BOOLEAN NOT NULL,
    PRIMARY KEY (site_id, silo_no)
);

-- Grain of one crop and grade that lies together; without a silo it lies in the open hall.
CREATE TABLE lot (
    lot_id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    crop_id INTEGER NOT NULL REFERENCES crop (crop_id),
    grade TEXT NOT NULL CHECK (grade IN ('premium', 'standard', 'feed', 'organic')),
    season INTEGER NOT NULL,
    site_id INTEGER NOT NULL REFERENCES site (site_id),
    silo_no INTEGER,
    opened_on DATE NOT NULL,
    emptied_on DATE,
    tonnes DECIMAL(7, 1) NOT NULL,
    FOREIGN KEY (site_id, silo_no) REFERENCES silo (site_id, silo_no)
);

-- Grain of one lot that went into another; no lot comes back into itself.
CREATE TABLE mixing (
    from_lot_id INTEGER NOT NULL REFERENCES lot (lot_id),
    into_lot_id INTEGER NOT NULL REFERENCES lot (lot_id),
    mixed_on DATE NOT NULL,
    tonnes DECIMAL(7, 1) NOT NULL,
    PRIMARY KEY (from_lot_id, into_lot_id)
);

CREATE TABLE delivery (
    delivery_id INTEGER PRIMARY KEY,
    ticket TEXT NOT NULL UNIQUE,
    farm_id INTEGER NOT NULL,
    field_no INTEGER NOT NULL,
    season INTEGER NOT NULL,
    lot_id INTEGER NOT NULL REFERENCES lot (lot_id),
    delivered_at DATETIME NOT NULL,
    tonnes DECIMAL(6, 1) NOT NULL,
    moisture DECIMAL(4, 1) NOT NULL,
    drying_cost DECIMAL(7, 2) NOT NULL,
    paid DECIMAL(9, 2) NOT NULL,
    FOREIGN KEY (farm_id, field_no, season) REFERENCES sowing (farm_id, field_no, season)
);

-- What the cooperative pays its farmers; a row holds until the next one.
CREATE TABLE price (
    crop_id INTEGER NOT NULL REFERENCES crop (crop_id),
    grade TEXT NOT NULL,
    valid_from DATE NOT NULL,
    valid_until DATE,
    euros_per_t INTEGER NOT NULL,
    PRIMARY KEY (crop_id, grade, valid_from)
);

CREATE TABLE measure (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    unit TEXT NOT NULL,
    most DECIMAL(7, 1)
);

CREATE TABLE measurement (
    lot_id INTEGER NOT NULL REFERENCES lot (lot_id),
    measure_code TEXT NOT NULL REFERENCES measure (code),
    measured_on DATE NOT NULL,
    value DECIMAL(7, 1) NOT NULL,
    PRIMARY KEY (lot_id, measure_code)
);

CREATE TABLE buyer (
    buyer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    country TEXT NOT NULL,
    parent_id INTEGER REFERENCES buyer (buyer_id)
);

CREATE TABLE contract (
    contract_id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    buyer_id INTEGER NOT NULL REFERENCES buyer (buyer_id),
    crop_id INTEGER NOT NULL REFERENCES crop (crop_id),
    grade TEXT NOT NULL,
    signed_on DATE NOT NULL,
    due_on DATE NOT NULL,
    tonnes INTEGER NOT NULL,
    euros_per_t INTEGER NOT NULL,
    terms TEXT NOT NULL CHECK (terms IN ('EXW', 'FCA', 'DAP', 'CIF')),
    status TEXT NOT NULL CHECK (status IN ('open', 'fulfilled', 'short', 'cancelled'))
);

CREATE TABLE shipment (
    contract_id INTEGER NOT NULL REFERENCES contract (contract_id),
    shipment_no INTEGER NOT NULL,
    lot_id INTEGER NOT NULL REFERENCES lot (lot_id),
    shipped_on DATE NOT NULL,
    arrived_on DATE,
    carrier TEXT NOT NULL CHECK (carrier IN ('lorry', 'rail', 'barge')),
    tonnes DECIMAL(7, 1) NOT NULL,
    amount DECIMAL(10, 2) NOT NULL,
    PRIMARY KEY (contract_id, shipment_no)
);
