-- What automatic rules know of each filing: the fold of the log in its order, as records by key. And
-- what rules failed on.

-- +goose Up
CREATE TABLE core_rule_records (
    key   text COLLATE "C" PRIMARY KEY, -- a JSON array: the kind of the record, and ids
    value text NOT NULL                 -- JSON, as domain/rule writes it
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

CREATE TABLE core_rule_failures (
    key     text        NOT NULL,
    version integer     NOT NULL,
    failed  bigint      NOT NULL, -- evaluations since it is in the shadow or live
    error   text        NOT NULL, -- the kind of the last one
    at      timestamptz NOT NULL,
    PRIMARY KEY (key, version)
);

-- +goose Down
DROP TABLE core_rule_failures, core_rule_records;
DELETE FROM core_projections WHERE name = 'rules';
