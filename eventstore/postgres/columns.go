package postgres

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// Columns returns one array for each column of the rows, as arguments of unnest, so that one
// statement stores all rows. There must be a row. Ids should be converted by [CopiedID].
func Columns(rows [][]any) []any {
	columns := make([]any, len(rows[0]))
	for i := range columns {
		column := make([]any, len(rows))
		for n, row := range rows {
			column[n] = row[i]
		}
		columns[i] = column
	}
	return columns
}

// CopiedID converts an id, a string or *string, for use in arrays. For a string, pgx would try
// several other encodings first, which takes longer than the rest of a row.
func CopiedID(id any) any {
	text, ok := id.(string)
	if p, isPointer := id.(*string); isPointer && p != nil {
		text, ok = *p, true
	}
	if parsed, err := uuid.Parse(text); ok && err == nil {
		return pgtype.UUID{Bytes: parsed, Valid: true}
	}
	return id
}
