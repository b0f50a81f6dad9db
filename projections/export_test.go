package projections

// ListQuery lets tests explain what a list runs.
var ListQuery = listQuery
