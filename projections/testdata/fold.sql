-- What a rebuild does, for a log whose events are created, assigned, note_added,
-- resolved and reopened, each at most once in a report.
WITH events AS MATERIALIZED (
    SELECT report_id, sequence, version, type, actor_id, occurred_at, convert_from(payload, 'UTF8')::json AS fact,
        convert_from(evidence, 'UTF8')::json -> 'words' AS words
    FROM core_moderation_report_events
), latest AS (
    SELECT DISTINCT ON (report_id) report_id, sequence, version, type, occurred_at FROM events ORDER BY report_id, sequence DESC
), folded AS (
    SELECT l.*, c.fact, c.words, c.occurred_at AS created_at, a.fact ->> 'assigneeId' AS assignee_id, n.occurred_at AS noted_at,
        r.actor_id AS resolver_id, r.fact ->> 'resolution' AS resolution, r.words ->> 'explanation' AS explanation, r.occurred_at AS resolved_at
    FROM latest l
    JOIN events c ON c.report_id = l.report_id AND c.type = 'created'
    LEFT JOIN events a ON a.report_id = l.report_id AND a.type = 'assigned'
    LEFT JOIN events n ON n.report_id = l.report_id AND n.type = 'note_added'
    LEFT JOIN events r ON r.report_id = l.report_id AND r.type = 'resolved' AND l.type <> 'reopened'
), reports AS (
    INSERT INTO core_moderation_reports (id, status, version, sequence, plugin_id, target_type, target_id, permission_module, scope_family, scope_id,
        locale, requested_locale, reason, description, snapshot, title, excerpt, reporter_name, reporter_id, assignee_id, resolver_id,
        resolution, explanation, open_key, note_count, search, created_at, updated_at, resolved_at)
    SELECT report_id, CASE WHEN resolution IS NOT NULL THEN 'done' WHEN assignee_id IS NOT NULL THEN 'in_progress' ELSE 'new' END,
        version, sequence, fact ->> 'pluginId', fact ->> 'targetType', fact ->> 'targetId', fact ->> 'permissionModule',
        fact -> 'scope' ->> 'family', fact -> 'scope' ->> 'id', fact ->> 'locale', fact ->> 'requestedLocale', fact ->> 'reason',
        words ->> 'description', words -> 'snapshot', words ->> 'title', words ->> 'excerpt', words ->> 'reporterName',
        (fact ->> 'reporterId')::uuid, assignee_id::uuid, resolver_id, resolution, explanation,
        CASE WHEN resolution IS NULL THEN sha256(convert_to(fact ->> 'reporterId', 'UTF8') || '\x00' || convert_to(fact ->> 'pluginId', 'UTF8') || '\x00' ||
            convert_to(fact ->> 'targetType', 'UTF8') || '\x00' || convert_to(fact ->> 'targetId', 'UTF8')) END,
        (noted_at IS NOT NULL)::int,
        array_to_tsvector(array_remove(regexp_split_to_array(lower(concat_ws(' ', words ->> 'title', words ->> 'description', words ->> 'reporterName')),
            '[^[:alnum:]]+'), '') || ('=' || (fact ->> 'targetId'))),
        created_at, occurred_at, resolved_at
    FROM folded
), targets AS (
    INSERT INTO core_moderation_targets (plugin_id, target_type, target_id, scope_family, scope_id, reported)
    SELECT DISTINCT fact ->> 'pluginId', fact ->> 'targetType', fact ->> 'targetId', fact -> 'scope' ->> 'family', fact -> 'scope' ->> 'id', true FROM folded
)
INSERT INTO core_moderation_report_notes (id, report_id, author_id, kind, body, created_at)
SELECT (fact ->> 'noteId')::uuid, report_id, actor_id, fact ->> 'kind', words -> 'body', occurred_at FROM events WHERE type = 'note_added';
