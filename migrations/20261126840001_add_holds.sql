-- Legal holds: what nobody may erase for a time. Evidence under a hold stays whoever erases it, also a server of the
-- release before, whose job of retention then ends with an error at the first report that is held.

-- +goose Up
CREATE TABLE core_holds (
    id        uuid        PRIMARY KEY,
    reports   text[],                -- ids, sorted; null: it names an author
    author_id text,                  -- as it was named; null: it names reports
    plugin_id text,                  -- whose id of the author that is; null: any
    authors   text[],                -- the author under each id that it is known by, as plugin:id; without a plugin, in any
    basis     text        NOT NULL,
    reference text        NOT NULL,
    until     timestamptz NOT NULL,
    set_by    uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    set_at    timestamptz NOT NULL,
    lifted_by uuid        REFERENCES core_users (id) ON DELETE SET NULL,
    lifted_at timestamptz,           -- when it was lifted before its end
    CONSTRAINT core_holds_named CHECK ((reports IS NULL) <> (authors IS NULL) AND (author_id IS NULL) = (authors IS NULL))
);
CREATE INDEX core_holds_reports ON core_holds USING gin (reports);
CREATE INDEX core_holds_authors ON core_holds USING gin (authors);
CREATE INDEX core_holds_set ON core_holds (set_at, id);

-- +goose StatementBegin
-- Every hold that covers a report, also those that have ended.
CREATE FUNCTION core_holds_of(report uuid) RETURNS SETOF core_holds LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT h.* FROM core_holds h WHERE h.reports @> ARRAY[$1::text];
    IF EXISTS (SELECT FROM core_holds WHERE authors IS NOT NULL) THEN
        RETURN QUERY SELECT h.* FROM core_holds h WHERE h.authors && ARRAY(
            SELECT unnest(ARRAY[':' || (a ->> 'id'), r.plugin_id || ':' || (a ->> 'id')])
            FROM core_moderation_reports r, json_array_elements(coalesce(r.authors, CASE json_typeof(r.snapshot -> 'authors') WHEN 'array' THEN r.snapshot -> 'authors' END)) a
            WHERE r.id = $1);
    END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Setting a hold takes the same lock alone, so that an erasure commits before the hold is set, or is refused.
CREATE FUNCTION core_holds_refuse_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('docket:holds', 0));
    IF EXISTS (SELECT FROM core_holds_of(OLD.report_id) WHERE lifted_at IS NULL AND until > clock_timestamp()) THEN
        RAISE EXCEPTION 'report % is under a legal hold: its words stay', OLD.report_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'core_holds';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER refuse_held BEFORE UPDATE ON core_moderation_report_events
    FOR EACH ROW WHEN (NEW.evidence IS NULL AND OLD.evidence IS NOT NULL) EXECUTE FUNCTION core_holds_refuse_erasure();

-- +goose Down
DROP TRIGGER refuse_held ON core_moderation_report_events;
DROP FUNCTION core_holds_refuse_erasure();
DROP FUNCTION core_holds_of(uuid);
DROP TABLE core_holds;
