package postgres

// Columns returns one array for each column of the rows, as unnest takes them, so that one
// statement stores all rows. There must be a row. Ids should be those of [CopiedID].
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
