package counts

// NextReports is the query by which a rebuild walks all reports.
const NextReports = nextReports
