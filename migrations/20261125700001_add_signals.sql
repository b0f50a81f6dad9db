-- Signals about content. A report's row has those of its events; a table keeps the newest of each
-- source for targets, for what is filed later, and is trimmed after 30 days.

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN signals json;

CREATE TABLE core_moderation_signals (
    plugin_id   text             NOT NULL,
    target_type text             NOT NULL,
    target_id   text             NOT NULL,
    source      text             NOT NULL,
    name        text             NOT NULL,
    score       double precision NOT NULL,
    at          timestamptz      NOT NULL, -- later than any other of the target before it
    PRIMARY KEY (plugin_id, target_type, target_id, source, name)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX core_moderation_signals_at ON core_moderation_signals (at);

-- What a token of a plugin is for. A server of the release before refuses those that are not for
-- filing, since the use is part of what binds a token.
ALTER TABLE core_host_tokens ADD COLUMN use text NOT NULL DEFAULT 'host' CHECK (use IN ('host', 'signal'));

-- +goose Down
DELETE FROM core_host_tokens WHERE use <> 'host';
ALTER TABLE core_host_tokens DROP COLUMN use;
DROP TABLE core_moderation_signals;
ALTER TABLE core_moderation_reports DROP COLUMN signals;
