package queue

// The statements whose plans tests look at.
const (
	TakeTasks   = takeTasks
	ReturnTasks = returnTasks
	SettleTasks = settleTasks
	TrimTasks   = trimTasks
)
