-- Deadlines of reports, and reports by people who were muted when they filed them. The
-- server of the release before leaves the columns at their defaults.

-- +goose Up
ALTER TABLE core_moderation_reports
    ADD COLUMN muted   boolean NOT NULL DEFAULT false,
    ADD COLUMN due_at  timestamptz,                     -- null: no deadline
    ADD COLUMN overdue boolean NOT NULL DEFAULT false;  -- it was open at due_at, and that was announced

-- +goose Down
ALTER TABLE core_moderation_reports DROP COLUMN muted, DROP COLUMN due_at, DROP COLUMN overdue;
