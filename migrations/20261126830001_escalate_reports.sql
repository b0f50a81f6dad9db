-- For whom an open report waits: {"from": "…", "by": "…", "at": "…", "sequence": n}, and the account, which is
-- null for the leads.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN escalation json,
    ADD COLUMN escalated_to uuid REFERENCES core_users (id),
    ADD COLUMN escalated integer; -- up to which event a server that knows escalations has written the row

-- A server of the release before folds rows without what ended an escalation.
CREATE TRIGGER mark_escalated BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence AND NEW.escalated IS DISTINCT FROM NEW.sequence AND OLD.escalation IS NOT NULL)
    EXECUTE FUNCTION core_moderation_mark_behind();

-- +goose Down
DROP TRIGGER mark_escalated ON core_moderation_reports;
ALTER TABLE core_moderation_reports DROP COLUMN escalated, DROP COLUMN escalated_to, DROP COLUMN escalation;
