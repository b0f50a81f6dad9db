-- Second factors of accounts that sign in by password, and the codes for who lost them.

-- +goose Up
-- +goose StatementBegin
ALTER TABLE core_sessions
    ADD COLUMN way       text CHECK (way IN ('password', 'oidc')), -- null: made by a server of an earlier release
    ADD COLUMN factor_at timestamptz;                              -- when it last proved a second factor

CREATE TABLE core_factors (
    id           uuid        PRIMARY KEY,
    user_id      uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    kind         text        NOT NULL CHECK (kind IN ('totp', 'passkey')),
    name         text        NOT NULL, -- empty for an authenticator app
    secret       bytea       NOT NULL, -- sealed for this row: a TOTP secret, or a credential as JSON
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz,
    counter      bigint      NOT NULL  -- the 30 seconds of the last code, or the authenticator's count of signatures
);
CREATE INDEX core_factors_user ON core_factors (user_id);
CREATE UNIQUE INDEX core_factors_totp ON core_factors (user_id) WHERE kind = 'totp';

-- Codes that were not used yet; only their SHA-256, bound to the account.
CREATE TABLE core_recovery_codes (
    hash    bytea PRIMARY KEY,
    user_id uuid  NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    mac     bytea NOT NULL
);
CREATE INDEX core_recovery_codes_user ON core_recovery_codes (user_id);

-- What an account has begun: a sign-in whose password was right, or the addition of a factor.
CREATE TABLE core_factor_challenges (
    id         uuid        PRIMARY KEY,
    purpose    text        NOT NULL CHECK (purpose IN ('sign-in', 'totp', 'passkey')),
    user_id    uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    hash       bytea       UNIQUE,             -- SHA-256 of a sign-in's token
    mac        bytea,                          -- binds the hash to the account
    secret     bytea,                          -- sealed for this row: what the answer must fit
    wrong      integer     NOT NULL DEFAULT 0, -- answers that did not
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CHECK ((purpose = 'sign-in') = (hash IS NOT NULL))
);
CREATE INDEX core_factor_challenges_user ON core_factor_challenges (user_id, created_at);
CREATE INDEX core_factor_challenges_created_at ON core_factor_challenges (created_at);
CREATE UNIQUE INDEX core_factor_challenges_addition ON core_factor_challenges (user_id, purpose) WHERE purpose <> 'sign-in';
-- +goose StatementEnd

-- +goose Down
DROP TABLE core_factor_challenges, core_recovery_codes, core_factors;
ALTER TABLE core_sessions DROP COLUMN way, DROP COLUMN factor_at;
