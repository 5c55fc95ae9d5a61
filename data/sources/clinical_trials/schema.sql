-- Clinical trials: their arms and centres, the patients in them, visits, samples and results.
-- Dates are ISO text (2025-07-21), date-times 2025-07-21T08:40:00, booleans 0 and 1,
-- doses in milligrams, money in euros.

CREATE TABLE sponsor (
    sponsor_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('company', 'university', 'foundation')),
    country TEXT NOT NULL,
    parent_id INTEGER REFERENCES sponsor (sponsor_id)
);

-- Codes of ICD-10: blocks, categories within them, and their subdivisions.
CREATE TABLE condition (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    parent_code TEXT REFERENCES condition (code)
);

CREATE TABLE drug (
    drug_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    drug_class TEXT NOT NULL,
    form TEXT NOT NULL CHECK (form IN ('tablet', 'capsule', 'injection', 'inhaler', 'cream')),
    first_made INTEGER NOT NULL,
    derived_from INTEGER REFERENCES drug (drug_id)
);

-- A trial may continue the one of the phase before it.
CREATE TABLE trial (
    trial_id INTEGER PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    phase INTEGER NOT NULL CHECK (phase BETWEEN 1 AND 4),
    sponsor_id INTEGER NOT NULL REFERENCES sponsor (sponsor_id),
    condition_code TEXT NOT NULL REFERENCES condition (code),
    continuation_of INTEGER REFERENCES trial (trial_id),
    started_on DATE NOT NULL,
    ended_on DATE,
    status TEXT NOT NULL CHECK (status IN ('recruiting', 'running', 'completed', 'stopped')),
    target INTEGER NOT NULL,
    patients INTEGER NOT NULL
);

-- What a part of the patients gets; a placebo has no drug and no dose.
CREATE TABLE arm (
    trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
    arm_no INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('active', 'comparator', 'placebo')),
    drug_id INTEGER REFERENCES drug (drug_id),
    dose_mg DECIMAL(6, 1),
    times_a_day INTEGER NOT NULL,
    PRIMARY KEY (trial_id, arm_no)
);

CREATE TABLE hospital (
    hospital_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    city TEXT NOT NULL,
    country TEXT NOT NULL,
    beds INTEGER NOT NULL
);

CREATE TABLE investigator (
    investigator_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hospital_id INTEGER NOT NULL REFERENCES hospital (hospital_id),
    specialty TEXT NOT NULL,
    licensed_on DATE NOT NULL,
    trained_by INTEGER REFERENCES investigator (investigator_id)
);

-- A hospital that takes part in a trial, and who leads the trial there.
CREATE TABLE centre (
    trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
    hospital_id INTEGER NOT NULL REFERENCES hospital (hospital_id),
    lead_id INTEGER NOT NULL REFERENCES investigator (investigator_id),
    opened_on DATE NOT NULL,
    closed_on DATE,
    PRIMARY KEY (trial_id, hospital_id)
);

CREATE TABLE patient (
    patient_id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    sex TEXT NOT NULL CHECK (sex IN ('female', 'male')),
    born_on DATE NOT NULL,
    smoker BOOLEAN NOT NULL,
    hospital_id INTEGER NOT NULL REFERENCES hospital (hospital_id),
    condition_code TEXT NOT NULL REFERENCES condition (code),
    diagnosed_on DATE NOT NULL
);

-- A patient in a trial; nobody is in two trials at a time.
CREATE TABLE enrolment (
    trial_id INTEGER NOT NULL REFERENCES trial (trial_id),
    patient_id INTEGER NOT NULL REFERENCES patient (patient_id),
    arm_no INTEGER NOT NULL,
    consented_on DATE NOT NULL,
    randomised_on DATE NOT NULL,
    left_on DATE,
    left_for TEXT CHECK (left_for IN ('adverse event', 'own wish', 'moved away', 'no effect')),
    PRIMARY KEY (trial_id, patient_id),
    FOREIGN KEY (trial_id, arm_no) REFERENCES arm (trial_id, arm_no)
);

-- A visit that was missed, or is still to come, was held on no day and by nobody.
CREATE TABLE visit (
    visit_id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL,
    patient_id INTEGER NOT NULL,
    visit_no INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('baseline', 'treatment', 'follow-up')),
    planned_on DATE NOT NULL,
    held_on DATE,
    investigator_id INTEGER REFERENCES investigator (investigator_id),
    weight_kg DECIMAL(5, 1),
    systolic_pressure INTEGER,
    UNIQUE (trial_id, patient_id, visit_no),
    FOREIGN KEY (trial_id, patient_id) REFERENCES enrolment (trial_id, patient_id)
);

-- Laboratories send on what they cannot test themselves.
CREATE TABLE laboratory (
    laboratory_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    refers_to INTEGER REFERENCES laboratory (laboratory_id)
);

-- What it costs is the sum of the prices of its tests.
CREATE TABLE sample (
    sample_id INTEGER PRIMARY KEY,
    barcode TEXT NOT NULL UNIQUE,
    visit_id INTEGER NOT NULL REFERENCES visit (visit_id),
    material TEXT NOT NULL CHECK (material IN ('blood', 'urine')),
    taken_at DATETIME NOT NULL,
    received_at DATETIME NOT NULL,
    laboratory_id INTEGER NOT NULL REFERENCES laboratory (laboratory_id),
    cost DECIMAL(7, 2) NOT NULL,
    UNIQUE (visit_id, material)
);

CREATE TABLE lab_test (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    material TEXT NOT NULL CHECK (material IN ('blood', 'urine')),
    unit TEXT NOT NULL,
    lower_limit DECIMAL(7, 1) NOT NULL,
    upper_limit DECIMAL(7, 1) NOT NULL,
    price DECIMAL(6, 2) NOT NULL
);

CREATE TABLE result (
    sample_id INTEGER NOT NULL REFERENCES sample (sample_id),
    test_code TEXT NOT NULL REFERENCES lab_test (code),
    measured_on DATE NOT NULL,
    value DECIMAL(7, 1) NOT NULL,
    flag TEXT NOT NULL CHECK (flag IN ('low', 'normal', 'high')),
    PRIMARY KEY (sample_id, test_code)
);

CREATE TABLE adverse_event (
    event_id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL,
    patient_id INTEGER NOT NULL,
    symptom TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('mild', 'moderate', 'severe')),
    serious BOOLEAN NOT NULL,
    related BOOLEAN NOT NULL,
    started_on DATE NOT NULL,
    ended_on DATE,
    FOREIGN KEY (trial_id, patient_id) REFERENCES enrolment (trial_id, patient_id)
);
