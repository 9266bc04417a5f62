package words

import "context"

type contextKey struct{}

// With is a context of what somebody asked for who reads a language. of is asked only where something is said in it.
func With(ctx context.Context, of func() *Language) context.Context {
	return context.WithValue(ctx, contextKey{}, of)
}

// Of is the language of whoever asked for what is being done; English where nobody did. It is for what is kept in words: letters, and names that the server gives.
func Of(ctx context.Context) *Language {
	if of, ok := ctx.Value(contextKey{}).(func() *Language); ok {
		return of()
	}
	return English
}
