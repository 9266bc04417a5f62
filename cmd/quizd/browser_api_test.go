package main

import (
	"testing"

	"pubquiz/internal/browsertest"
)

// TestAPIPageInBrowsers reads the API's description at a desk and on a phone, and opens what it tells of one address and of what is sent there.
func TestAPIPageInBrowsers(t *testing.T) {
	t.Parallel()
	_, base := startWith(t, nil)
	b := browsertest.Start(t)
	for name, device := range map[string]browsertest.Device{"api": browsertest.Laptop, "api-phone": browsertest.Phone} {
		reader := b.Person("a reader on "+name, device)
		reader.Open(base + "/api")
		reader.See("h1", "The API")
		fits(reader, name)
		reader.Click("Join a session")
		reader.See("#join", "name-taken")
		reader.Click("JoinRequest")
		reader.See("#schema-JoinRequest", "attempt")
		reader.Resize(device.Width, 2400) // all of it
		fits(reader, name+"-opened")
		if device == browsertest.Laptop { // it is long, and the rules of accessibility take their time
			reader.MustBeAccessible()
			reader.MustShowFocus()
		}
	}
}
