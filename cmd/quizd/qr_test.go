package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/piglig/go-qr"
)

// TestTerminalQR reads the drawing back, module by module.
func TestTerminalQR(t *testing.T) {
	const text = "http://192.168.1.20:8080/j/BCDF23"
	drawn, err := terminalQR(text)
	if err != nil {
		t.Fatal(err)
	}
	code, err := go_qr.EncodeText(text, go_qr.Low)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(drawn, ""), "\n"), "\n")
	for y := range code.Size() {
		row := (y + quietZone) / 2
		lower := (y+quietZone)%2 == 1
		for x := range code.Size() {
			half := []rune(lines[row])[2+quietZone+x]
			dark := half == '█' || (half == '▄') == lower && half != ' '
			if dark != code.Module(x, y) {
				t.Fatalf("module %d, %d is drawn dark=%v", x, y, dark)
			}
		}
	}
	for _, line := range lines {
		if len([]rune(line)) != 2+code.Size()+2*quietZone {
			t.Errorf("a line has no quiet zone: %q", line)
		}
	}
}
