CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, country TEXT);
CREATE TABLE book (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES author(id),
  price REAL, published DATE, pages INTEGER NOT NULL, language TEXT
);
CREATE TABLE member (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, active BOOLEAN NOT NULL, code TEXT,
  referred_by INTEGER REFERENCES member(id)
);
CREATE TABLE loan (
  book_id INTEGER NOT NULL REFERENCES book(id), member_id INTEGER NOT NULL REFERENCES member(id),
  lent DATE NOT NULL, days INTEGER, PRIMARY KEY (book_id, member_id, lent)
);
CREATE TABLE tag (book_id INTEGER NOT NULL REFERENCES book(id), word TEXT NOT NULL);
CREATE TABLE "opening hours" (weekday TEXT PRIMARY KEY, "from hour" INTEGER, [to] INTEGER);
INSERT INTO author VALUES (1, 'Ada Rem', 1920, 'NL'), (2, 'Bo Lind', NULL, 'SE'),
  (3, 'Cy Ort', 1975, NULL), (4, 'Dee Ash', 1975, 'NL');
INSERT INTO book VALUES
  (1, 'Sand', 1, 10.5, '1950-03-01', 200, 'en'), (2, 'Sea', 1, NULL, '1951-07-15', 320, 'nl'),
  (3, 'Ash and Sand', 2, 8, '2001-01-01', 90, 'en'), (4, 'Untold', NULL, 12.25, NULL, 150, NULL),
  (5, '100% True', 3, 10.5, '2010-12-31', 410, 'en');
INSERT INTO member VALUES (1, 'Eve', 1, '7', NULL), (2, 'Flo', 0, '10', 1), (3, 'Gus', 1, 'x', 1),
  (4, 'Hal', 1, NULL, 2);
INSERT INTO loan VALUES (1, 1, '2020-01-05', 10), (1, 2, '2020-02-01', NULL),
  (2, 1, '2020-02-03', 7), (3, 1, '2020-05-01', 21), (3, 3, '2021-01-09', 3),
  (1, 1, '2021-03-01', 5);
INSERT INTO tag VALUES (1, 'sea'), (1, 'sea'), (2, 'sea'), (3, 'fire');
INSERT INTO "opening hours" VALUES ('Mon', 9, 17), ('Tue', 9, 20), ('Sun', NULL, NULL);
CREATE TABLE visit (
  no INTEGER PRIMARY KEY, came DATETIME NOT NULL, went TIMESTAMP, scanned DATETIME,
  logged DATETIME, seen TIMESTAMP, opened TIME, noted TEXT
);
INSERT INTO visit VALUES
  (1, '2024-04-30 23:59:59', '2024-05-01 00:00:00', '2024-05-01 10:00:00.250',
   '2024-05-01 10:00:00', '2024-05-01T00:00:00', '09:00:00', '2024-05-01 00:00:00'),
  (2, '2024-05-01 00:00:00', '2024-05-01 00:00:00', '2024-05-01 10:00:00.999',
   '2024-05-01 10:00:00.000001', '2024-05-01T00:00:01', '10:30:00', '2024-05-01T00:00:01'),
  (3, '2024-05-01 00:00:01', NULL, '1969-12-31 23:59:59.999',
   '2024-05-01 10:00:00.500000', '2024-05-02T12:00:00', NULL, 'late'),
  (4, '2024-12-31 18:30:05', '2025-01-01 06:00:00', NULL, NULL, NULL, '23:59:59', NULL);
CREATE TABLE sample (
  id INTEGER PRIMARY KEY, i INT, r REAL, t TEXT, w TEXT, u, ut, um, ur, mi INT, mn NUMERIC, mr REAL,
  ul, day DATE
);
INSERT INTO sample VALUES
  (1, 1, 1, '1', 'x', 1, '1', 1, 1, 1, 2.5, 1, 1, '2024-01-01'),
  (2, 2, 2.5, '2', '01', 2, '2', 'x', 1.0, 'x', 'x', 'x', '1', '2024-01-02'),
  (3, 3, 3, 'x', '3', 3, 'x', 10, 'x', 3, 3, 3, 3, NULL), (4, NULL, NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE draft (id INTEGER PRIMARY KEY, u, v, t TEXT, g UUID, n NUMERIC, a INTEGER);
CREATE TABLE draft_of (
  draft NOT NULL REFERENCES draft, book INTEGER NOT NULL REFERENCES book, w,
  PRIMARY KEY (draft, book)
);
