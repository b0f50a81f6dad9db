-- What versions of policies say to the EU's transparency database, of those that say anything, and the
-- statements of reasons that it is owed. The first is a table of its own so that a server of the release
-- before verifies the policies as it knows them.

-- +goose Up
CREATE TABLE core_policy_statements (
    key       text    COLLATE "C" NOT NULL,
    version   integer NOT NULL,
    statement jsonb   NOT NULL, -- ground, law, category and keywords
    PRIMARY KEY (key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_policy_statements
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

CREATE TABLE core_statements (
    id         uuid        PRIMARY KEY, -- of the decision's event
    report_id  uuid        NOT NULL,
    decided_at timestamptz NOT NULL,
    due_at     timestamptz NOT NULL,    -- when it is sent, if the decision still stands
    status     text        NOT NULL DEFAULT 'none'
        CHECK (status IN ('none', 'incomplete', 'pending', 'sent', 'refused', 'superseded')), -- none: restricts nobody so far
    missing    text[]      NOT NULL DEFAULT '{}',
    faults     text[]      NOT NULL DEFAULT '{}', -- for which the database refused it
    policy     text,                     -- that the decision cites, as key/version
    plugin_id  text        NOT NULL DEFAULT '',
    target_type text       NOT NULL DEFAULT '',
    uuid       text,                     -- in the database
    sent_at    timestamptz,
    look_at    timestamptz               -- when the decision is looked at again; null: never
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX core_statements_look ON core_statements (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX core_statements_status ON core_statements (status, decided_at, id);
CREATE INDEX core_statements_decided ON core_statements (decided_at, id) WHERE status <> 'none';

-- +goose Down
DROP TABLE core_statements, core_policy_statements;
