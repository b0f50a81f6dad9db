-- When tables that grow or change with use are vacuumed and analyzed. By default that waits
-- for a fifth of a table, which after years is millions of rows at once. A table that only
-- grows is vacuumed too, so that index-only scans stay so and its rows are frozen bit by bit.

-- +goose Up
ALTER TABLE core_moderation_log
    SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.01);
ALTER TABLE core_moderation_targets
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_moderation_report_notes
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_moderation_report_authors
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_moderation_appeals
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_moderation_cases
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_notices
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE core_webhook_deliveries
    SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Each request of an account may change its rows of these.
ALTER TABLE core_moderation_attempts SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE core_sessions SET (autovacuum_vacuum_scale_factor = 0.05);

-- +goose Down
ALTER TABLE core_sessions RESET (autovacuum_vacuum_scale_factor);
ALTER TABLE core_moderation_attempts RESET (fillfactor, autovacuum_vacuum_scale_factor);
ALTER TABLE core_webhook_deliveries
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_notices
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_cases RESET (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_appeals
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_report_authors
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_report_notes
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_targets
    RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor);
ALTER TABLE core_moderation_log
    RESET (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold, autovacuum_analyze_scale_factor);
