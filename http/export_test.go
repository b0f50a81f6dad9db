package http

// TableRoute is a line of the route table as tests see it.
type TableRoute struct {
	Method string
	Path   string // whole, as the router has it
}

// Table lists the routes of the areas.
func Table(areas ...Area) []TableRoute {
	var all []TableRoute
	for _, a := range areas {
		for _, rt := range a.routes() {
			all = append(all, TableRoute{rt.method, rt.fullPath()})
		}
	}
	return all
}
