-- When the report tables are vacuumed and analyzed, for the reasons of tune_vacuum.

-- +goose Up
ALTER TABLE core_moderation_reports
    SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);
ALTER TABLE core_moderation_report_events
    SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.01);

-- +goose Down
ALTER TABLE core_moderation_report_events
    RESET (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_reports
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
