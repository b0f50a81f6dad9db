-- Measures on the authors of content, which are the fold of their events like the reports whose
-- decisions imposed them. A report's row has its own, a table has all, to be listed by what stands.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN measures json;
-- Up to which event a server that knows measures has written the row; null for rows of others.
ALTER TABLE core_moderation_reports ADD COLUMN measured integer;

CREATE TABLE core_moderation_measures (
    id             uuid        PRIMARY KEY, -- of the event that imposed it
    report_id      uuid        NOT NULL,
    plugin_id      text        NOT NULL,
    author         text        NOT NULL,    -- as snapshots name them
    kind           text        NOT NULL CHECK (kind IN ('warn', 'restrict', 'suspend', 'terminate')),
    until          timestamptz,             -- null: without an end
    policy_key     text,
    policy_version integer,
    because        text        NOT NULL CHECK (because IN ('moderator', 'ladder')),
    threshold      integer     NOT NULL,    -- the strikes for which the ladder proposed it; else 0
    imposed_at     timestamptz NOT NULL,
    imposed_by     uuid        REFERENCES core_users (id),
    ended_at       timestamptz,             -- null while it stands
    ended_by       text        NOT NULL CHECK (ended_by IN ('', 'expiry', 'overturn', 'moderator'))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX core_moderation_measures_imposed ON core_moderation_measures (imposed_at, id);
CREATE INDEX core_moderation_measures_until ON core_moderation_measures (coalesce(until, 'infinity'::timestamptz), id);
CREATE INDEX core_moderation_measures_standing ON core_moderation_measures (imposed_at, id) WHERE ended_at IS NULL;
CREATE INDEX core_moderation_measures_due ON core_moderation_measures (coalesce(until, 'infinity'::timestamptz), id) WHERE ended_at IS NULL;
CREATE INDEX core_moderation_measures_author ON core_moderation_measures (author, plugin_id, imposed_at);
CREATE INDEX core_moderation_measures_report ON core_moderation_measures (report_id);
CREATE INDEX core_moderation_measures_imposed_by ON core_moderation_measures (imposed_by) WHERE imposed_by IS NOT NULL;

-- Decisions to take action that were replaced, by the authors of the content: with those that
-- stand, they say how many strikes an author had at any time.
CREATE TABLE core_moderation_ended_decisions (
    author         text        NOT NULL,
    report_id      uuid        NOT NULL,
    sequence       integer     NOT NULL, -- of the decision's event
    plugin_id      text        NOT NULL,
    policy_key     text        NOT NULL,
    policy_version integer     NOT NULL,
    decision_id    text        NOT NULL, -- the same for the decisions on several reports that were one
    decided_at     timestamptz NOT NULL,
    ended_at       timestamptz NOT NULL,
    PRIMARY KEY (author, report_id, sequence)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX core_moderation_ended_decisions_report ON core_moderation_ended_decisions (report_id);

-- +goose StatementBegin
CREATE FUNCTION core_moderation_keep_decision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    named json := coalesce(NEW.authors, NEW.snapshot -> 'authors');
BEGIN
    INSERT INTO core_moderation_ended_decisions (author, report_id, sequence, plugin_id, policy_key, policy_version, decision_id, decided_at, ended_at)
    SELECT DISTINCT a ->> 'id', OLD.id, (OLD.decision ->> 'sequence')::int, OLD.plugin_id,
           OLD.decision -> 'policy' ->> 'key', (OLD.decision -> 'policy' ->> 'version')::int,
           coalesce(OLD.decision ->> 'id', OLD.id || '/' || (OLD.decision ->> 'sequence')), OLD.resolved_at, NEW.updated_at
    FROM json_array_elements(CASE json_typeof(named) WHEN 'array' THEN named ELSE '[]' END) a
    WHERE a ->> 'id' <> '' ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER keep_decision AFTER UPDATE OF decision ON core_moderation_reports
    FOR EACH ROW WHEN (OLD.resolution = 'action_taken' AND OLD.decision -> 'policy' ->> 'key' IS NOT NULL
        AND NEW.decision ->> 'sequence' IS DISTINCT FROM OLD.decision ->> 'sequence')
    EXECUTE FUNCTION core_moderation_keep_decision();

-- A server of the release before folds rows, but without measures and the ids of decisions.
CREATE TRIGGER mark_measured BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence AND NEW.measured IS DISTINCT FROM NEW.sequence
        AND (OLD.measures IS NOT NULL OR OLD.decision ->> 'id' IS NOT NULL))
    EXECUTE FUNCTION core_moderation_mark_behind();

-- +goose Down
DROP TRIGGER mark_measured ON core_moderation_reports;
DROP TRIGGER keep_decision ON core_moderation_reports;
DROP FUNCTION core_moderation_keep_decision();
DROP TABLE core_moderation_ended_decisions, core_moderation_measures;
ALTER TABLE core_moderation_reports DROP COLUMN measured, DROP COLUMN measures;
