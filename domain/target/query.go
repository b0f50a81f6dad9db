package target

import "github.com/docketmod/docket/domain/snapshot"

// Query is a capture in one statement of SQL, which can share a round trip to the database
// with other statements.
type Query struct {
	SQL  string
	Args []any
	// Read returns the capture that the statement's row holds.
	Read func(Row) (*snapshot.Capture, error)

	// Ran is set by whoever has run the statement, with the capture, or nil without a row.
	Ran     bool
	Capture *snapshot.Capture
}

// Row is a row of a Query's result.
type Row interface{ Scan(into ...any) error }
