-- The counted reports are one row a report, for the reasons of tune_vacuum.

-- +goose Up
ALTER TABLE core_moderation_counted
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- +goose Down
ALTER TABLE core_moderation_counted
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
