package quiz

// matcher tells whether a typed answer is one of the accepted ones.
func (q Question) matcher() func(text string) bool {
	accepted := make(map[string]bool, len(q.Accepted))
	for _, a := range q.Accepted {
		accepted[Fold(a)] = true
	}
	return func(text string) bool { return accepted[Fold(text)] }
}
