package cases

// The statements that tests ask PostgreSQL to explain.
var (
	ReadUpheld     = readUpheld
	ReadRecords    = readRecords
	SelectReported = selectReported
	SelectRising   = selectRising
)
