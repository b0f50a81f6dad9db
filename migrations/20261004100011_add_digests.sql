-- Who is mailed about what waits, how often, and when that was done last.

-- +goose Up
CREATE TABLE core_digests (
    user_id  uuid        PRIMARY KEY REFERENCES core_users (id) ON DELETE CASCADE,
    every    text        NOT NULL CHECK (every IN ('never', 'hourly', 'daily')),
    urgent   boolean     NOT NULL, -- at once about what is overdue
    language text        NOT NULL,
    stop     bytea       NOT NULL UNIQUE, -- what the link at the end of a mail holds
    sent_at  timestamptz,
    told_due timestamptz -- the latest deadline that was told of
);

-- +goose Down
DROP TABLE core_digests;
