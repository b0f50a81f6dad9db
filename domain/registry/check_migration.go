package registry

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/docketmod/docket/domain/content"
)

// versionsSuffix ends the name of a plugin's table of applied migrations.
const versionsSuffix = "_goose_db_version"

// VersionsTable returns the table that records which migrations of a plugin are applied.
func VersionsTable(pluginID string) string {
	return strings.ReplaceAll(pluginID, "-", "_") + versionsSuffix
}

// CheckMigrations is the part of Check that concerns migrations: nil or a Faults.
func CheckMigrations(plugins ...*Declaration) error {
	r := &registration{used: places{}}
	for _, p := range plugins {
		r.checkID(p)
		r.checkMigrations(p)
	}
	return r.faults.sorted(plugins).err()
}

var migrationName = regexp.MustCompile(`^([0-9]+)_[^/]+\.sql$`)

var migrationUp = regexp.MustCompile(`(?m)^[ \t]*--[ \t]*\+goose[ \t]+Up\b`)

func (r *registration) checkMigrations(p *Declaration) {
	if p.Migrations == nil {
		return
	}
	fault := r.reporter(p).At("migrations")
	table := VersionsTable(p.ID)
	if len(table) > content.MaxIdentifier {
		fault("", "a plugin with migrations needs an id of at most %d characters, not %d, because a table is named after it",
			content.MaxIdentifier-len(versionsSuffix), len(p.ID))
	}
	r.used.unique("table of applied migrations", table, p.where("migrations"), fault, "")
	names, err := fs.Glob(p.Migrations, "*")
	if err != nil {
		fault("", "cannot be listed: %v", err)
		return
	}
	versions, files := map[int64]string{}, 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".sql") {
			continue
		}
		files++
		checkMigration(p.Migrations, name, versions, func(message string) { fault("", "%s: %s", name, message) })
	}
	if files == 0 {
		fault("", "there is no .sql file at the root; use fs.Sub for those in a folder")
	}
}

func checkMigration(files fs.FS, name string, versions map[int64]string, fault func(message string)) {
	version := int64(0)
	if m := migrationName.FindStringSubmatch(name); m != nil {
		version, _ = strconv.ParseInt(m[1], 10, 64)
	}
	switch {
	case version <= 0 || version == math.MaxInt64:
		fault("a migration is named by a version and a title, such as 20261002120000_add_reviews.sql")
	case versions[version] != "":
		fault(fmt.Sprintf("has the version of %s", versions[version]))
	default:
		versions[version] = name
	}
	text, err := fs.ReadFile(files, name)
	switch {
	case err != nil:
		fault(fmt.Sprintf("cannot be read: %v", err))
	case !migrationUp.Match(text):
		fault("has no line -- +goose Up")
	}
}
