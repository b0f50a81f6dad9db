package queue

// Backoff is the wait after an attempt.
var Backoff = backoff

// The statements whose plans tests look at.
const (
	TakeTasks   = takeTasks
	ReturnTasks = returnTasks
	SettleTasks = settleTasks
	TrimTasks   = trimTasks
)
