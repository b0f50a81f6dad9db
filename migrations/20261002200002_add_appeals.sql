-- Appeals, which are the fold of their events like the reports that they belong to. Their
-- words are only in the log.

-- +goose Up
CREATE TABLE core_moderation_appeals (
    id                uuid        PRIMARY KEY,
    report_id         uuid        NOT NULL,
    by_role           text        NOT NULL CHECK (by_role IN ('author', 'reporter')),
    appellant_id      uuid        REFERENCES core_users (id),
    status            text        NOT NULL CHECK (status IN ('open', 'upheld', 'overturned')),
    decision_sequence integer     NOT NULL,
    sequence          integer     NOT NULL,
    created_at        timestamptz NOT NULL,
    decided_sequence  integer     NOT NULL DEFAULT 0,
    decided_at        timestamptz,
    decider_id        uuid        REFERENCES core_users (id),
    superseded        boolean     NOT NULL DEFAULT false
);
CREATE INDEX core_moderation_appeals_created ON core_moderation_appeals (created_at, id);
CREATE INDEX core_moderation_appeals_status ON core_moderation_appeals (status, created_at, id);
CREATE INDEX core_moderation_appeals_report ON core_moderation_appeals (report_id);
CREATE INDEX core_moderation_appeals_appellant ON core_moderation_appeals (appellant_id) WHERE appellant_id IS NOT NULL;
CREATE INDEX core_moderation_appeals_decider ON core_moderation_appeals (decider_id) WHERE decider_id IS NOT NULL;

-- The authors of the content of reports that are done, by the ids of the snapshots.
CREATE TABLE core_moderation_report_authors (
    report_id uuid NOT NULL,
    plugin_id text NOT NULL,
    author    text NOT NULL,
    PRIMARY KEY (author, report_id)
);
CREATE INDEX core_moderation_report_authors_report ON core_moderation_report_authors (report_id);

-- +goose StatementBegin
-- The account of an author: the one with this id, or else the one that the host platform
-- (the issuer) or the plugin's own platform knows under it. Null if there is none.
CREATE FUNCTION core_author_account(plugin text, author text, issuer text) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT u.id FROM core_users u WHERE u.id =
            CASE WHEN $2 ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN $2::uuid END),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = $3 AND i.user_id IS NOT NULL),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = 'plugin:' || $1 AND i.user_id IS NOT NULL))
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION core_author_account(text, text, text);
DROP TABLE core_moderation_report_authors, core_moderation_appeals;
