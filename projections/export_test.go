package projections

// ListQuery lets tests explain what a list runs.
var ListQuery = listQuery

// CountQuery lets tests explain what counts a list.
var CountQuery = countQuery
