//go:build race

package ratelimit

// raceDetector makes everything slow, so that floods are smaller.
const raceDetector = true
