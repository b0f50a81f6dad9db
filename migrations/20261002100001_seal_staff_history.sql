-- Changes of staff entries are chained and signed like events. A server seals the changes of
-- its own transaction; one that is made by hand in the database stays without a seal.

-- +goose Up
-- Null for changes that were made before there were seals.
ALTER TABLE core_staff_history ADD COLUMN transaction_id xid8;
ALTER TABLE core_staff_history ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id();
CREATE INDEX core_staff_history_transaction ON core_staff_history (transaction_id);

CREATE TABLE core_staff_seals (
    number    bigint PRIMARY KEY,      -- from 1, without gaps
    position  bigint NOT NULL UNIQUE,  -- of the change, in core_staff_history
    prev_hash bytea  NOT NULL,         -- of the seal before; 32 zero bytes for the first
    hash      bytea  NOT NULL,
    signature bytea  NOT NULL          -- Ed25519, of the hash
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_staff_seals
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

-- +goose Down
DROP TABLE core_staff_seals;
ALTER TABLE core_staff_history DROP COLUMN transaction_id;
