package domain

// TimeLayout is how times in UTC are written everywhere: RFC 3339 with microseconds.
const TimeLayout = "2006-01-02T15:04:05.000000Z"
