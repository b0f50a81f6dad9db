package registry

import "time"

// The bounds of a manifest. Nodes are counted when they are visited, so that nested aliases
// cannot cost more than a manifest without aliases.
const (
	MaxManifest = 1 << 20 // bytes
	maxNodes    = 100_000
)

// DefaultRemoteTimeout is how long a platform has to answer if its manifest sets no timeout.
const DefaultRemoteTimeout = 3 * time.Second

// The bounds of a platform's time to answer.
const (
	minRemoteTimeout = time.Second
	maxRemoteTimeout = 10 * time.Second
)

// maxProviders bounds the providers of one plugin, each of which is called for every report.
const maxProviders = 10

// maxTaskName bounds the names of tasks and jobs, in bytes.
const maxTaskName = 200
