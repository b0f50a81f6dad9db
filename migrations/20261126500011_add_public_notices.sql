-- Notices by anybody that are not reports yet, and for a day what their limits count.

-- +goose Up
CREATE TABLE core_public_notices (
    id           uuid        PRIMARY KEY, -- of the report that it becomes
    email        bytea,                   -- SHA-256; null if the sender did not say who they are
    address      inet        NOT NULL,
    notice       text,                    -- JSON; null once it is a report, which has the words
    hash         bytea       UNIQUE,      -- SHA-256 of the secret of the link that was mailed last
    requested_at timestamptz NOT NULL,
    confirmed_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX core_public_notices_email ON core_public_notices (email, requested_at);
CREATE INDEX core_public_notices_address ON core_public_notices (address, requested_at);
CREATE INDEX core_public_notices_requested_at ON core_public_notices (requested_at);

-- +goose Down
DROP TABLE core_public_notices;
