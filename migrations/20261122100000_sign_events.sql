-- Each event carries the server's Ed25519 signature of its hash, made with a key that the
-- database never sees. It is null for events of a release that did not sign.

-- +goose Up
ALTER TABLE core_moderation_report_events ADD COLUMN signature bytea;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_allow_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.evidence IS NULL AND OLD.evidence IS NOT NULL AND
       (NEW.event_id, NEW.report_id, NEW.sequence, NEW.version, NEW.type, NEW.payload, NEW.occurred_at, NEW.prev_hash, NEW.hash, NEW.transaction_id)
       = (OLD.event_id, OLD.report_id, OLD.sequence, OLD.version, OLD.type, OLD.payload, OLD.occurred_at, OLD.prev_hash, OLD.hash, OLD.transaction_id)
       AND NEW.evidence_digest IS NOT DISTINCT FROM OLD.evidence_digest
       AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id
       AND NEW.signature IS NOT DISTINCT FROM OLD.signature THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only: only its evidence may be erased', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_allow_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
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
ALTER TABLE core_moderation_report_events DROP COLUMN signature;
