-- A server of the release before deletes an account and leaves what that account has decided and nobody has released. So it marks
-- the row as behind its events, as it does for an escalation.

-- +goose Up
CREATE OR REPLACE TRIGGER mark_escalated BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence AND NEW.escalated IS DISTINCT FROM NEW.sequence AND (OLD.escalation IS NOT NULL OR OLD.held IS NOT NULL))
    EXECUTE FUNCTION core_moderation_mark_behind();

-- +goose Down
CREATE OR REPLACE TRIGGER mark_escalated BEFORE UPDATE OF sequence ON core_moderation_reports
    FOR EACH ROW WHEN (NEW.sequence <> OLD.sequence AND NEW.escalated IS DISTINCT FROM NEW.sequence AND OLD.escalation IS NOT NULL)
    EXECUTE FUNCTION core_moderation_mark_behind();
