-- Reports, which are the fold of their events, and the events, which are the truth.

-- +goose Up
CREATE TABLE core_moderation_reports (
    id                uuid PRIMARY KEY,
    status            text NOT NULL CHECK (status IN ('new', 'in_progress', 'done')),
    version           integer NOT NULL,
    sequence          integer NOT NULL,
    plugin_id         text NOT NULL,
    target_type       text NOT NULL,
    target_id         text NOT NULL,
    permission_module text NOT NULL,
    scope_family      text,
    scope_id          text,
    locale            text NOT NULL,
    requested_locale  text NOT NULL,
    reason            text NOT NULL CHECK (reason IN ('spam', 'abusive', 'rule_violation', 'other')),
    description       text,
    snapshot          json,
    title             text NOT NULL,
    excerpt           text NOT NULL,
    reporter_name     text,
    -- No ON DELETE: an account goes last, after the events that take it out of its reports.
    reporter_id       uuid REFERENCES core_users (id),
    assignee_id       uuid REFERENCES core_users (id),
    resolver_id       uuid REFERENCES core_users (id),
    resolution        text CHECK (resolution IN ('no_violation', 'action_taken', 'duplicate')),
    explanation       text,
    shared            boolean NOT NULL DEFAULT false,
    open_key          bytea CONSTRAINT core_moderation_reports_open_key UNIQUE,
    note_count        integer NOT NULL DEFAULT 0,
    erased            boolean NOT NULL DEFAULT false,
    search            tsvector NOT NULL,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    resolved_at       timestamptz
);

-- The board: every report, or those of one status, by either column.
CREATE INDEX core_moderation_reports_created ON core_moderation_reports (created_at, id);
CREATE INDEX core_moderation_reports_updated ON core_moderation_reports (updated_at, id);
CREATE INDEX core_moderation_reports_status_created ON core_moderation_reports (status, created_at, id);
CREATE INDEX core_moderation_reports_status_updated ON core_moderation_reports (status, updated_at, id);
-- "Mine", and the reports that a deleted account leaves.
CREATE INDEX core_moderation_reports_assignee ON core_moderation_reports (assignee_id, created_at, id) WHERE assignee_id IS NOT NULL;
CREATE INDEX core_moderation_reports_resolver ON core_moderation_reports (resolver_id) WHERE resolver_id IS NOT NULL;
-- The 20 an hour, and the reports that a deleted account leaves.
CREATE INDEX core_moderation_reports_reporter ON core_moderation_reports (reporter_id, created_at) WHERE reporter_id IS NOT NULL;
-- Related reports, open reports of a target, and the join from a scope's targets.
CREATE INDEX core_moderation_reports_target ON core_moderation_reports (plugin_id, target_type, target_id, created_at, id);
-- How many open reports a target has.
CREATE INDEX core_moderation_reports_open_target ON core_moderation_reports (plugin_id, target_type, target_id) WHERE status <> 'done';
CREATE INDEX core_moderation_reports_search ON core_moderation_reports USING gin (search);

CREATE TABLE core_moderation_report_events (
    event_id        uuid PRIMARY KEY,
    report_id       uuid NOT NULL,
    sequence        integer NOT NULL CHECK (sequence > 0),
    version         integer NOT NULL,
    type            text NOT NULL,
    payload         bytea NOT NULL,
    evidence        bytea,
    evidence_digest bytea,
    actor_id        uuid,
    occurred_at     timestamptz NOT NULL,
    prev_hash       bytea NOT NULL,
    hash            bytea NOT NULL,
    transaction_id  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    CONSTRAINT core_moderation_report_events_stream UNIQUE (report_id, sequence)
);

-- The sealer's scan from its lower bound.
CREATE INDEX core_moderation_report_events_transaction ON core_moderation_report_events (transaction_id);

-- +goose StatementBegin
CREATE FUNCTION core_moderation_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- The one change an event allows: its evidence goes, and nothing else moves.
CREATE FUNCTION core_moderation_allow_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.evidence IS NULL AND OLD.evidence IS NOT NULL AND
       (NEW.event_id, NEW.report_id, NEW.sequence, NEW.version, NEW.type, NEW.payload, NEW.occurred_at, NEW.prev_hash, NEW.hash, NEW.transaction_id)
       = (OLD.event_id, OLD.report_id, OLD.sequence, OLD.version, OLD.type, OLD.payload, OLD.occurred_at, OLD.prev_hash, OLD.hash, OLD.transaction_id)
       AND NEW.evidence_digest IS NOT DISTINCT FROM OLD.evidence_digest
       AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only: only its evidence may be erased', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd

CREATE TRIGGER allow_erasure BEFORE UPDATE ON core_moderation_report_events
    FOR EACH ROW EXECUTE FUNCTION core_moderation_allow_erasure();
CREATE TRIGGER refuse_delete BEFORE DELETE OR TRUNCATE ON core_moderation_report_events
    FOR EACH STATEMENT EXECUTE FUNCTION core_moderation_refuse_change();

-- +goose Down
DROP TABLE core_moderation_report_events;
DROP TABLE core_moderation_reports;
DROP FUNCTION core_moderation_allow_erasure();
DROP FUNCTION core_moderation_refuse_change();
