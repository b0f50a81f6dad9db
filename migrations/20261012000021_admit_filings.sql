-- A filing in one round trip: what it is limited by is checked where it is stored.

-- +goose Up
-- +goose StatementBegin
-- Raises DK001 when the reporter has an open report with this key, and DK002 when
-- they have filed as many since as they may. The lock comes first, so that the
-- statements after it see what others of the reporter's filings have committed.
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

-- +goose Down
DROP FUNCTION core_moderation_admit_filing(uuid, bytea, timestamptz, integer);
