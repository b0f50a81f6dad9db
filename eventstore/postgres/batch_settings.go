package postgres

import "github.com/jackc/pgx/v5"

// QueueGenericPlans makes the rest of the batch's transaction run each statement by a plan
// that PostgreSQL makes once for all values and keeps. It suits statements whose plan does
// not depend on their values, such as lookups by unique keys. By default PostgreSQL plans a
// statement with an array at each execution, which takes longer than running it. The plan reads
// no table from end to end where an index will do, since it is kept while a table grows.
func QueueGenericPlans(b *pgx.Batch) {
	b.Queue(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`)
}

// QueueAsyncCommit makes the batch's transaction commit without waiting for the disk. It suits
// what may be done again: a crash of PostgreSQL may lose the most recent of such commits.
func QueueAsyncCommit(b *pgx.Batch) { b.Queue(`SELECT set_config('synchronous_commit', 'off', true)`) }
