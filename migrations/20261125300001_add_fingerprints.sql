-- What is alike in reported content, as package projections/fingerprints makes it from the
-- snapshots: the words' MinHash and the keys that content with nearly the same words or with the
-- same link has in common. Neither holds a word, and both go when the snapshot is erased.

-- +goose Up
CREATE TABLE core_moderation_fingerprints (
    report_id  uuid     PRIMARY KEY,
    signature  bytea    NOT NULL, -- empty: no words
    keys       bigint[] NOT NULL,
    open       boolean  NOT NULL, -- the report is not done
    decided_at timestamptz        -- when the present decision was made, or the last one was overturned
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- A search must not read the closed reports of a campaign to find the open ones.
CREATE INDEX core_moderation_fingerprints_open ON core_moderation_fingerprints USING gin (keys) WHERE open;
CREATE INDEX core_moderation_fingerprints_decided ON core_moderation_fingerprints USING gin (keys) WHERE decided_at IS NOT NULL;

-- +goose Down
DROP TABLE core_moderation_fingerprints;
DELETE FROM core_projections WHERE name = 'fingerprints';
