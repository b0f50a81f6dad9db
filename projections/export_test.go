package projections

// ListQuery lets tests explain what a list runs.
var ListQuery = listQuery

// TotalQuery lets tests explain what counts a list by its rows.
var TotalQuery = totalQuery

// SelectIncomplete lets tests explain how Mend finds rows.
const SelectIncomplete = selectIncomplete
