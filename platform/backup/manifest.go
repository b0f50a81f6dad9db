// Package backup writes and reads backups: the database by PostgreSQL's own pg_dump and
// pg_restore, and the folder of checkpoints, in one file.
//
// The file is a zip archive, so that other tools can open it as well. Its directory is at the end, and each entry has a
// checksum: a backup that was cut short or changed by accident is recognised before anything is restored from it. Other
// modules must not import it.
package backup

import "time"

const (
	manifestName = "manifest.json"
	databaseName = "database.dump" // in pg_dump's custom format
	auditPrefix  = "audit/"

	format        = 1
	maxAuditFile  = 1 << 20
	maxManifest   = 1 << 20
	maxAuditFiles = 1_000_000
)

// Manifest describes the contents of a backup.
type Manifest struct {
	Format    int       `json:"format"`
	Docket    string    `json:"docket"`   // version that made it
	Postgres  int       `json:"postgres"` // major version of the server
	StartedAt time.Time `json:"startedAt"`
	Reports   int64     `json:"reports"` // counted just before the dump began
}

// Folder is where checkpoints and their key are.
type Folder struct {
	Path string // "" for none
	// Shared marks a folder with a key that other databases also use. Its checkpoints are not this
	// database's.
	Shared bool
	// Secret names a file that is never backed up: the private key. Whoever can read a backup
	// could forge the log with it.
	Secret string
}
