package web

import (
	"strconv"
	"time"

	"github.com/mileusna/useragent"
)

// agentInWords is a browser's User-Agent field as a person would say it: "Firefox on Windows".
func agentInWords(agent string) string {
	ua := useragent.Parse(agent)
	name, device := ua.Name, ua.OS
	switch {
	case ua.IsAndroid():
		device = "an Android device"
	case ua.Device == "iPhone":
		device = "an iPhone"
	case ua.Device == "iPad":
		device = "an iPad"
	case ua.IsMacOS():
		device = "a Mac"
	case ua.IsChromeOS():
		device = "a Chromebook"
	}
	switch {
	case ua.IsUnknown() || len(name) > maxAgentWord || name == "":
		return "A browser that does not say which"
	case device == "" || len(device) > maxAgentWord:
		return name
	}
	return name + " on " + device
}

// maxAgentWord is longer than the name of any browser or system. The field may hold anything.
const maxAgentWord = 24

// agoInWords is when something was, as exactly as it matters.
func agoInWords(ago time.Duration, at time.Time) string {
	count := func(n int, unit string) string {
		if n != 1 {
			unit += "s"
		}
		return strconv.Itoa(n) + " " + unit + " ago"
	}
	switch {
	case ago < 2*time.Minute:
		return "just now"
	case ago < time.Hour:
		return count(int(ago.Minutes()), "minute")
	case ago < 24*time.Hour:
		return count(int(ago.Hours()), "hour")
	}
	return "on " + at.UTC().Format("2 January")
}
