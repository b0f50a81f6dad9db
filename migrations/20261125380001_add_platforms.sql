-- The manifests of platforms that are connected in the panel. A change is a version that never
-- changes; the newest one of a platform is in force.

-- +goose Up
CREATE TABLE core_platform_versions (
    platform_id text        COLLATE "C" NOT NULL, -- the id of the plugin
    version     integer     NOT NULL CHECK (version > 0),
    manifest    text        NOT NULL,
    off         boolean     NOT NULL,
    made_at     timestamptz NOT NULL,
    PRIMARY KEY (platform_id, version)
);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON core_platform_versions
    FOR EACH STATEMENT EXECUTE FUNCTION core_staff_refuse_change();

CREATE TABLE core_platform_secrets (
    id          uuid        PRIMARY KEY,
    platform_id text        COLLATE "C" NOT NULL,
    secret      text        NOT NULL, -- sealed with DOCKET_SECRETS_KEY
    made_at     timestamptz NOT NULL,
    ends_at     timestamptz           -- null: the present one
);
CREATE UNIQUE INDEX core_platform_secrets_present ON core_platform_secrets (platform_id) WHERE ends_at IS NULL;

-- +goose Down
DROP TABLE core_platform_secrets, core_platform_versions;
