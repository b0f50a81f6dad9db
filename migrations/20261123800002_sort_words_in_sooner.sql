-- The words of reports wait in a list until a statement that makes it too long sorts them into
-- the index of the search. That took up to 0.6 s with the default of 4 MB and 450,000 reports, and
-- nothing is sealed meanwhile. With 256 kB it takes 24 ms, and a change of a report costs the same.

-- +goose Up
ALTER INDEX core_moderation_reports_search SET (gin_pending_list_limit = 256);

-- +goose Down
ALTER INDEX core_moderation_reports_search RESET (gin_pending_list_limit);
