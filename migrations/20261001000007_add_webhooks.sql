-- What leaves the service: events set aside, webhook subscriptions and their
-- deliveries, and notices to reporters.

-- +goose Up
-- Events that a group's listener failed on, until an admin has them replayed.
CREATE TABLE core_poison (
    id             uuid        PRIMARY KEY,
    consumer_group text        NOT NULL,
    event_id       text        NOT NULL,
    name           text        NOT NULL,
    payload        json        NOT NULL,
    metadata       json        NOT NULL,
    reason         text        NOT NULL,
    replays        integer     NOT NULL DEFAULT 0, -- that failed
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT core_poison_event UNIQUE (consumer_group, event_id)
);
CREATE INDEX core_poison_created_at ON core_poison (created_at, id);

CREATE TABLE core_webhooks (
    id             uuid        PRIMARY KEY,
    plugin_id      text        NOT NULL,
    name           text,                           -- of one that a plugin declares, unique within it; else null
    url            text        NOT NULL,
    events         text[]      NOT NULL,           -- names, or prefixes ending in *; none: every event
    scope          jsonb,                          -- {family, mode, ids}; null: everywhere
    secret         text        NOT NULL,           -- whsec_…, which signing needs in the clear
    disabled_at    timestamptz,
    disabled_why   text,
    failing_since  timestamptz,                    -- no delivery has succeeded since
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT core_webhooks_name UNIQUE (plugin_id, name)
);
CREATE INDEX core_webhooks_created_at ON core_webhooks (created_at, id);

CREATE TABLE core_webhook_deliveries (
    id            uuid        PRIMARY KEY,
    webhook_id    uuid        NOT NULL REFERENCES core_webhooks (id) ON DELETE CASCADE,
    event_id      text        NOT NULL,            -- the receiver's webhook-id, by which it knows a repeat
    name          text        NOT NULL,
    body          text        NOT NULL,            -- exactly the bytes that are signed and sent
    status        text        NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts      integer     NOT NULL DEFAULT 0,
    http_status   integer,                         -- of the last answer
    last_error    text,
    created_at    timestamptz NOT NULL,
    attempted_at  timestamptz,
    completed_at  timestamptz
);
CREATE INDEX core_webhook_deliveries_webhook ON core_webhook_deliveries (webhook_id, created_at, id);
-- What is trimmed.
CREATE INDEX core_webhook_deliveries_completed_at ON core_webhook_deliveries (completed_at) WHERE completed_at IS NOT NULL;

-- What a reporter is told when a report is resolved. The words stay with the report
-- and its log, so that erasing them there erases them here.
CREATE TABLE core_notices (
    id         uuid        PRIMARY KEY,
    user_id    uuid        NOT NULL REFERENCES core_users (id) ON DELETE CASCADE,
    event_id   text        NOT NULL,
    report_id  uuid        NOT NULL,
    resolution text        NOT NULL,
    created_at timestamptz NOT NULL,
    read_at    timestamptz,
    CONSTRAINT core_notices_event UNIQUE (user_id, event_id)
);
CREATE INDEX core_notices_user ON core_notices (user_id, created_at, id);
CREATE INDEX core_notices_report ON core_notices (report_id);

-- The key by which this database makes positions of its log opaque; one row.
CREATE TABLE core_live_key (
    id  boolean PRIMARY KEY DEFAULT true CHECK (id),
    key bytea   NOT NULL
);

-- Who looks at a report, until a moment. Unlogged: a crash forgets thirty seconds.
CREATE UNLOGGED TABLE core_moderation_presence (
    report_id  uuid        NOT NULL,
    user_id    uuid        NOT NULL,
    user_name  text        NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (report_id, user_id)
);
CREATE INDEX core_moderation_presence_expires_at ON core_moderation_presence (expires_at);

-- +goose Down
DROP TABLE core_moderation_presence;
DROP TABLE core_live_key;
DROP TABLE core_notices;
DROP TABLE core_webhook_deliveries;
DROP TABLE core_webhooks;
DROP TABLE core_poison;
