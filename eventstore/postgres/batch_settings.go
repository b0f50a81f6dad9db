package postgres

import "github.com/jackc/pgx/v5"

// QueueGenericPlans makes PostgreSQL use generic plans for the rest of the batch's transaction.
// They suit statements whose plan does not depend on their values, such as lookups by unique keys.
// By default PostgreSQL plans a statement with an array at each execution, which takes longer than
// running it. Sequential scans are avoided, since a plan is reused while a table grows.
func QueueGenericPlans(b *pgx.Batch) {
	b.Queue(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`)
}

// QueueAsyncCommit makes the batch's transaction commit without waiting for the disk. It suits work
// that can be repeated: a crash of PostgreSQL may lose the most recent such commits.
func QueueAsyncCommit(b *pgx.Batch) { b.Queue(`SELECT set_config('synchronous_commit', 'off', true)`) }
