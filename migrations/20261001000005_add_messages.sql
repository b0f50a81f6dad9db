-- The Watermill topic docket_events, with the names and
-- columns that watermill-sql v3 gives to a topic and its consumer groups. They are
-- made here because the library's own initialisation races between servers.

-- +goose Up
CREATE TABLE "watermill_docket_events" (
    "offset"         bigserial   NOT NULL,
    "uuid"           varchar(36) NOT NULL,
    "created_at"     timestamp   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "payload"        json,
    "metadata"       json,
    "transaction_id" xid8        NOT NULL,
    -- Subscribers read by a row comparison on exactly these two columns.
    PRIMARY KEY ("transaction_id", "offset")
);

CREATE TABLE "watermill_offsets_docket_events" (
    consumer_group                varchar(255) NOT NULL PRIMARY KEY,
    offset_acked                  bigint,
    last_processed_transaction_id xid8         NOT NULL
);

-- Rows of the topic come and go, rows of the offsets are updated with every batch.
ALTER TABLE "watermill_docket_events"
    SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "watermill_offsets_docket_events" SET (fillfactor = 50);

-- +goose Down
DROP TABLE "watermill_offsets_docket_events";
DROP TABLE "watermill_docket_events";
