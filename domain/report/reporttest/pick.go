package reporttest

// Pick returns one of the values, each about as often, by eight draws of a bit. The choices of
// package rapid favour the first values.
func Pick[T any](draw func() bool, values ...T) T {
	n := 0
	for range 8 {
		n *= 2
		if draw() {
			n++
		}
	}
	return values[n%len(values)]
}
