-- Once, as the superuser on the primary. The right to see the replication is what lets
-- Docket read from the standby.
CREATE ROLE docket LOGIN PASSWORD '{{.All.Password}}' IN ROLE pg_read_all_stats;
