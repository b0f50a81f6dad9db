package projector

// What tests call by itself.
var (
	Await = await
	Built = built
)
