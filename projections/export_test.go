package projections

// ListQuery lets tests explain what a list runs.
var ListQuery = listQuery

// CountQuery lets tests explain what counts a list.
var CountQuery = countQuery

// CountsQuery lets tests explain what counts the tabs.
var CountsQuery = countsQuery
