package domain

// TimeLayout is how a time in UTC is written: RFC 3339 with microseconds (contract
// section 1).
const TimeLayout = "2006-01-02T15:04:05.000000Z"
