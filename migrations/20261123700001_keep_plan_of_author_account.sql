-- PostgreSQL plans the query of a function in SQL with each statement that calls it, but that of
-- a function in PL/pgSQL once a session.

-- +goose Up
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

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_author_account(plugin text, author text, issuer text) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT u.id FROM core_users u WHERE u.id =
            CASE WHEN $2 ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN $2::uuid END),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = $3 AND i.user_id IS NOT NULL),
        (SELECT i.user_id FROM core_user_identities i WHERE i.subject = $2 AND i.issuer = 'plugin:' || $1 AND i.user_id IS NOT NULL))
$$;
-- +goose StatementEnd
