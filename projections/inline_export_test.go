package projections

// Compare and Rewrite let tests put a command between the two.
var (
	Compare = compare
	Rewrite = rewrite
)
