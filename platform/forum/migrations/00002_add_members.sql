-- Who writes in the forum, and what moderators have decided about them.

-- +goose Up
CREATE TABLE forum_members (
    user_id          uuid        PRIMARY KEY,
    restricted_until timestamptz,
    suspended_until  timestamptz, -- infinity: without an end
    terminated_at    timestamptz
);
INSERT INTO forum_members (user_id) SELECT author_id FROM forum_topics UNION SELECT author_id FROM forum_posts;

-- +goose StatementBegin
CREATE FUNCTION forum_add_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO forum_members (user_id) VALUES (NEW.author_id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER add_member AFTER INSERT OR UPDATE OF author_id ON forum_topics FOR EACH ROW EXECUTE FUNCTION forum_add_member();
CREATE TRIGGER add_member AFTER INSERT OR UPDATE OF author_id ON forum_posts FOR EACH ROW EXECUTE FUNCTION forum_add_member();

-- +goose Down
DROP TRIGGER add_member ON forum_posts;
DROP TRIGGER add_member ON forum_topics;
DROP FUNCTION forum_add_member();
DROP TABLE forum_members;
