package gallery

import (
	"os"
	"strings"
	"testing"
)

const screens = "../../docs/screens"

// TestGalleryIsWhole: what hangs in docs/screens is what the list names, and its page is what `make screens` would write of it.
func TestGalleryIsWhole(t *testing.T) {
	hung, err := Names(os.DirFS(screens), ".webp")
	if err != nil {
		t.Fatal(err)
	}
	if err := Differences(Sections(), hung); err != nil {
		t.Fatal(err)
	}
	page, err := Page(Sections(), os.DirFS(screens))
	if err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(screens + "/README.md"); err != nil || string(written) != page {
		t.Errorf("%s/README.md is not what the list says (%v): make screens", screens, err)
	}
}

func TestDifferences(t *testing.T) {
	sections, err := read("# A screen\nIts words.\na b: Two of a state\nc: One")
	if err != nil {
		t.Fatal(err)
	}
	if sections[0].Title != "A screen" || sections[0].Words != "Its words." || len(sections[0].States) != 2 || sections[0].States[0].Caption != "Two of a state" {
		t.Errorf("the list was read as %+v", sections)
	}
	if err := Differences(sections, []string{"a", "b", "c"}); err != nil {
		t.Errorf("nothing differs: %v", err)
	}
	err = Differences(sections, []string{"a", "c", "d"})
	if err == nil || !strings.Contains(err.Error(), "b is in the list, but no test takes it") || !strings.Contains(err.Error(), "d is not in the list") {
		t.Errorf("b is missing and d has no place: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, list := range []string{"a: Before any section", "# A screen\na: Once\na: Twice"} {
		if sections, err := read(list); err == nil {
			t.Errorf("%q was read as %+v", list, sections)
		}
	}
}
