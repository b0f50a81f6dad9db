package target

import "github.com/docketmod/docket/domain/snapshot"

// Query is a capture in one statement of SQL, which can share a round trip to the database
// with other statements.
type Query struct {
	SQL  string
	Args []any
	// Read returns the capture that the statement's row holds.
	Read func(Row) (*snapshot.Capture, error)

	// Ran reports whether the statement was run. Capture is then what it has found, or nil
	// without a row. Docket sets both.
	Ran     bool
	Capture *snapshot.Capture
}

// Row is a row of a Query's result.
type Row interface{ Scan(into ...any) error }
