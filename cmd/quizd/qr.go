package main

import (
	"fmt"
	"strings"

	"github.com/piglig/go-qr"
)

// quietZone is the empty border, in modules, without which cameras do not find the code.
const quietZone = 2

// terminalQR draws text as a QR code with two modules to a character. It is light on dark with its colours set, since
// terminals differ in theirs and cameras want the border light.
func terminalQR(text string) (string, error) {
	code, err := go_qr.EncodeText(text, go_qr.Low)
	if err != nil {
		return "", fmt.Errorf("terminalQR: %w", err)
	}
	dark := func(x, y int) bool {
		size := code.Size()
		return x >= 0 && y >= 0 && x < size && y < size && code.Module(x, y)
	}
	var drawn strings.Builder
	for y := -quietZone; y < code.Size()+quietZone; y += 2 {
		drawn.WriteString("  \x1b[30;107m")
		for x := -quietZone; x < code.Size()+quietZone; x++ {
			switch upper, lower := dark(x, y), dark(x, y+1); {
			case upper && lower:
				drawn.WriteRune('█')
			case upper:
				drawn.WriteRune('▀')
			case lower:
				drawn.WriteRune('▄')
			default:
				drawn.WriteRune(' ')
			}
		}
		drawn.WriteString("\x1b[0m\n")
	}
	return drawn.String(), nil
}
