-- The strikes that versions of policies give, of those that give any, and the ladder that proposes
-- measures by the number of strikes. They are tables of their own so that a server of the release
-- before verifies the policies as it knows them.

-- +goose Up
CREATE TABLE core_policy_strikes (
    key     text    COLLATE "C" NOT NULL,
    version integer NOT NULL,
    strikes integer NOT NULL CHECK (strikes BETWEEN 0 AND 10),
    days    integer NOT NULL CHECK (days BETWEEN 1 AND 3650), -- for which they count
    PRIMARY KEY (key, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_policy_strikes
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

CREATE TABLE core_ladder (
    id    integer PRIMARY KEY CHECK (id = 1), -- there is one
    steps jsonb   NOT NULL
);

-- +goose Down
DROP TABLE core_ladder, core_policy_strikes;
