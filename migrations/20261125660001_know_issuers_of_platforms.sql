-- A plugin whose platform has an issuer of its own has its own ids of people: one that is also an id
-- of AUTH_ISSUER is somebody else's. The plugin's own people come first in any case. A server of the
-- release before calls the function as before.

-- +goose Up
CREATE TABLE core_platform_issuers (
    plugin_id text COLLATE "C" PRIMARY KEY -- has an issuer of its own
);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_author_account(plugin text, author text, issuer text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = 'plugin:' || $1 AND i.user_id IS NOT NULL),
        (SELECT u.id FROM core_users u WHERE u.id =
            CASE WHEN $2 ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN $2::uuid END),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = $3 AND i.user_id IS NOT NULL
            AND NOT EXISTS (SELECT FROM core_platform_issuers o WHERE o.plugin_id = $1)));
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_author_account(plugin text, author text, issuer text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce(
        (SELECT u.id FROM core_users u WHERE u.id =
            CASE WHEN $2 ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN $2::uuid END),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = $3 AND i.user_id IS NOT NULL),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = 'plugin:' || $1 AND i.user_id IS NOT NULL));
END $$;
-- +goose StatementEnd
DROP TABLE core_platform_issuers;
