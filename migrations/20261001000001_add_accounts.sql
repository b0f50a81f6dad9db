-- Accounts and the ways into them: sessions, API tokens and host identities.

-- +goose Up
-- +goose StatementBegin
CREATE TABLE core_users (
    id            uuid        PRIMARY KEY,
    email         text        CHECK (email <> ''),   -- null: the host platform named none, or one in use
    name          text        NOT NULL CHECK (name <> ''),
    password_hash text,                              -- PHC string; null: no password opens it
    demo          boolean     NOT NULL DEFAULT false, -- made by `docket demo`; production refuses to run beside one
    created_at    timestamptz NOT NULL,
    -- The words of name and email, each findable by its beginning.
    search        tsvector    NOT NULL GENERATED ALWAYS AS (
        to_tsvector('simple', translate(name || ' ' || coalesce(email, ''), '@._+/:,''-', '         '))
    ) STORED
);
CREATE UNIQUE INDEX core_users_email ON core_users (lower(email));
CREATE INDEX core_users_by_name ON core_users ((name COLLATE "C"), id);
CREATE INDEX core_users_by_created_at ON core_users (created_at, id);
CREATE INDEX core_users_search ON core_users USING gin (search);
CREATE INDEX core_users_demo ON core_users (id) WHERE demo;

-- Who a person is at the host platform. A row outlives its account, with user_id
-- null, so that a deleted account is not made again on the next visit.
CREATE TABLE core_user_identities (
    issuer     text        NOT NULL,
    subject    text        NOT NULL,
    user_id    uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX core_user_identities_user ON core_user_identities (user_id);

-- Signing out deletes the row. Only the SHA-256 of a session id is stored.
CREATE TABLE core_sessions (
    hash       bytea       PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX core_sessions_user ON core_sessions (user_id);
CREATE INDEX core_sessions_expires_at ON core_sessions (expires_at);

-- Only the SHA-256 of a token is stored.
CREATE TABLE core_api_tokens (
    id           uuid        PRIMARY KEY,
    hash         bytea       NOT NULL UNIQUE,
    user_id      uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    name         text        NOT NULL,
    use          text        NOT NULL CHECK (use IN ('read', 'moderate', 'admin')),
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz,                        -- null: never
    last_used_at timestamptz,                        -- to the minute
    revoked_at   timestamptz
);
CREATE INDEX core_api_tokens_user ON core_api_tokens (user_id);

-- Failed sign-ins of the last 15 minutes, at most 100 an address. `account` is the
-- SHA-256 of the email as given, since it may be nobody's or a mistyped password.
CREATE TABLE core_sign_in_failures (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address    inet        NOT NULL,
    account    bytea       NOT NULL,
    failed_at  timestamptz NOT NULL
);
CREATE INDEX core_sign_in_failures_address ON core_sign_in_failures (address, failed_at);
CREATE INDEX core_sign_in_failures_failed_at ON core_sign_in_failures (failed_at);
-- +goose StatementEnd

-- +goose Down
DROP TABLE core_sign_in_failures, core_api_tokens, core_sessions, core_user_identities, core_users;
