package cases

// Weighing is the condition of the reports r that are part of cases, of which those by people
// who were muted when they filed them weigh nothing.
const Weighing = "r.status <> 'done' AND NOT r.muted"
