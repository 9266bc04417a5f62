package web

import (
	"time"

	"github.com/mileusna/useragent"

	"pubquiz/internal/words"
	"pubquiz/internal/words/when"
)

// agentInWords is a browser's User-Agent field as a person would say it: "Firefox on Windows".
func agentInWords(agent string) words.Text {
	ua := useragent.Parse(agent)
	name, device := ua.Name, words.T("{system}", "system", ua.OS)
	switch {
	case ua.IsAndroid():
		device = words.T("an Android device")
	case ua.Device == "iPhone":
		device = words.T("an iPhone")
	case ua.Device == "iPad":
		device = words.T("an iPad")
	case ua.IsMacOS():
		device = words.T("a Mac")
	case ua.IsChromeOS():
		device = words.T("a Chromebook")
	}
	switch {
	case ua.IsUnknown() || len(name) > maxAgentWord || name == "":
		return words.T("A browser that does not say which")
	case device.String() == "" || len(device.String()) > maxAgentWord:
		return words.T("{browser}", "browser", name)
	}
	return words.T("{browser} on {device}", "browser", name, "device", device)
}

// maxAgentWord is longer than the name of any browser or system. The field may hold anything.
const maxAgentWord = 24

// seenInWords is when somebody was last seen, as exactly as it matters.
func seenInWords(ago time.Duration, at time.Time) words.Text {
	switch {
	case ago < 2*time.Minute:
		return words.T("Seen just now")
	case ago < time.Hour:
		return words.N(int(ago.Minutes()), "Seen {n} minute ago", "Seen {n} minutes ago")
	case ago < 24*time.Hour:
		return words.N(int(ago.Hours()), "Seen {n} hour ago", "Seen {n} hours ago")
	}
	return words.T("Seen on {day}", "day", when.Date(at))
}
