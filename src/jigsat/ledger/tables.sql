CREATE TABLE header (text TEXT NOT NULL);
CREATE TABLE subproblem (
    id INTEGER PRIMARY KEY, parent INTEGER REFERENCES subproblem, literals TEXT NOT NULL, state TEXT NOT NULL, refuted TEXT,
    weight REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, worker TEXT, backend TEXT, established_by TEXT,
    seconds REAL NOT NULL DEFAULT 0, nodes INTEGER NOT NULL DEFAULT 0, counts TEXT
);
CREATE INDEX by_state ON subproblem (state, id);
CREATE TABLE solution (
    id INTEGER PRIMARY KEY, subproblem INTEGER NOT NULL REFERENCES subproblem, placements TEXT NOT NULL UNIQUE
);
CREATE INDEX by_subproblem ON solution (subproblem);
