-- What refused a filing before each filing of a batch was answered by itself. No server that works on this
-- schema calls it.

-- +goose Up
DROP FUNCTION core_moderation_admit_filing(uuid, bytea, timestamptz, integer);

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION core_moderation_admit_filing(reporter uuid, key bytea, since timestamptz, at_most integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('docket:filing:' || reporter, 0));
    IF EXISTS (SELECT FROM core_moderation_reports WHERE open_key = key) THEN
        RAISE EXCEPTION 'reported already' USING ERRCODE = 'DK001';
    END IF;
    IF (SELECT count(*) FROM core_moderation_reports WHERE reporter_id = reporter AND created_at > since) >= at_most THEN
        RAISE EXCEPTION 'filed too often' USING ERRCODE = 'DK002';
    END IF;
END $$;
-- +goose StatementEnd
