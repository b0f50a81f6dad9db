-- Notes of a report that are pinned: [{"noteId": "…", "until": "…", "by": "…"}].

-- +goose Up
ALTER TABLE core_moderation_reports ADD COLUMN pins json;

-- +goose StatementBegin
-- Pins count as note events: see the migration that limits notes.
CREATE OR REPLACE FUNCTION core_moderation_admit_note(report uuid, account uuid, at timestamptz, at_most integer, per_minute integer)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    made timestamptz[];
BEGIN
    IF (SELECT count(*) FROM core_moderation_report_events e WHERE e.report_id = report
            AND e.type IN ('note_added', 'note_updated', 'note_deleted', 'note_pinned')) >= at_most THEN
        RAISE EXCEPTION 'the report has too many note events' USING ERRCODE = 'DK003';
    END IF;
    INSERT INTO core_moderation_note_rates AS r (user_id, times) VALUES (account, ARRAY[at])
        ON CONFLICT (user_id) DO UPDATE SET times = array_append(
            ARRAY(SELECT t FROM unnest(r.times) t WHERE t > at - interval '1 minute' ORDER BY t), at)
        RETURNING times INTO made;
    IF cardinality(made) > per_minute THEN
        RAISE EXCEPTION 'the account makes too many note events' USING ERRCODE = 'DK004',
            DETAIL = ceil(extract(epoch FROM made[1] + interval '1 minute' - at))::text;
    END IF;
END $$;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE core_moderation_reports DROP COLUMN pins;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION core_moderation_admit_note(report uuid, account uuid, at timestamptz, at_most integer, per_minute integer)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    made timestamptz[];
BEGIN
    IF (SELECT count(*) FROM core_moderation_report_events e WHERE e.report_id = report
            AND e.type IN ('note_added', 'note_updated', 'note_deleted')) >= at_most THEN
        RAISE EXCEPTION 'the report has too many note events' USING ERRCODE = 'DK003';
    END IF;
    INSERT INTO core_moderation_note_rates AS r (user_id, times) VALUES (account, ARRAY[at])
        ON CONFLICT (user_id) DO UPDATE SET times = array_append(
            ARRAY(SELECT t FROM unnest(r.times) t WHERE t > at - interval '1 minute' ORDER BY t), at)
        RETURNING times INTO made;
    IF cardinality(made) > per_minute THEN
        RAISE EXCEPTION 'the account makes too many note events' USING ERRCODE = 'DK004',
            DETAIL = ceil(extract(epoch FROM made[1] + interval '1 minute' - at))::text;
    END IF;
END $$;
-- +goose StatementEnd
