-- The note events that an account made within the last minute, and the check of both limits
-- on note events in the transaction that appends them.

-- +goose Up
CREATE TABLE core_moderation_note_rates (
    user_id uuid          PRIMARY KEY REFERENCES core_users (id) ON DELETE CASCADE,
    times   timestamptz[] NOT NULL -- oldest first
);

-- +goose StatementBegin
-- Counts a note event of the account, before it is appended. Raises DK003 if the report holds
-- at_most note events, and DK004, with the seconds to wait as its detail, if the account has
-- made per_minute within a minute. The report must be locked.
CREATE FUNCTION core_moderation_admit_note(report uuid, account uuid, at timestamptz, at_most integer, per_minute integer)
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

-- +goose Down
DROP FUNCTION core_moderation_admit_note(uuid, uuid, timestamptz, integer, integer);
DROP TABLE core_moderation_note_rates;
