-- Sessions that their owner can see and end, accounts that are switched off, and links
-- that work once: to reset a password, to accept an invitation, to set up the first
-- administrator.

-- +goose Up
-- +goose StatementBegin
ALTER TABLE core_users ADD COLUMN disabled_at timestamptz; -- null: enabled

ALTER TABLE core_sessions
    ADD COLUMN id           uuid NOT NULL DEFAULT gen_random_uuid(), -- for the owner; it opens nothing
    ADD COLUMN address      inet,                                    -- signed in from; of IPv6 the network
    ADD COLUMN user_agent   text NOT NULL DEFAULT '',
    ADD COLUMN last_used_at timestamptz;                             -- to five minutes
CREATE UNIQUE INDEX core_sessions_id ON core_sessions (id);

-- Only the SHA-256 of a link's secret is stored. A link that is mailed gets its secret
-- when it is sent, since the queue's payload is a table too. A used link is deleted.
CREATE TABLE core_account_links (
    id         uuid        PRIMARY KEY,
    purpose    text        NOT NULL CHECK (purpose IN ('reset', 'invitation', 'setup')),
    user_id    uuid        REFERENCES core_users (id) ON DELETE CASCADE,
    hash       bytea       UNIQUE,
    expires_at timestamptz NOT NULL,
    CHECK ((purpose = 'setup') = (user_id IS NULL))
);
CREATE INDEX core_account_links_user ON core_account_links (user_id);
CREATE INDEX core_account_links_expires_at ON core_account_links (expires_at);

-- Requests for a link to reset a password, to limit how many mails somebody can cause.
-- `account` is the SHA-256 of the email as given, which may be nobody's.
CREATE TABLE core_forgot_requests (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address      inet        NOT NULL,
    account      bytea       NOT NULL,
    requested_at timestamptz NOT NULL
);
CREATE INDEX core_forgot_requests_address ON core_forgot_requests (address, requested_at);
CREATE INDEX core_forgot_requests_account ON core_forgot_requests (account, requested_at);
CREATE INDEX core_forgot_requests_requested_at ON core_forgot_requests (requested_at);
-- +goose StatementEnd

-- +goose Down
DROP TABLE core_forgot_requests, core_account_links;
ALTER TABLE core_sessions DROP COLUMN id, DROP COLUMN address, DROP COLUMN user_agent, DROP COLUMN last_used_at;
ALTER TABLE core_users DROP COLUMN disabled_at;
