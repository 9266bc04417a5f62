package browsertest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/page"
)

// Paper is a size of paper, in inches.
type Paper struct {
	Name          string
	Width, Height float64
}

// The papers that printers have.
var (
	A4     = Paper{"a4", 8.27, 11.69}
	Letter = Paper{"letter", 8.5, 11}
)

// Print prints the page and returns how many sheets that takes. Where artifacts are kept, they are among them as NAME-PAPER.pdf.
func (p *Page) Print(name string, paper Paper) (sheets int) {
	p.t.Helper()
	pdf := call(p, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: paper.Width, PaperHeight: paper.Height, PreferCSSPageSize: new(true)}).Data
	if kept := flag.Lookup("test.artifacts"); kept != nil && kept.Value.String() == "true" {
		if err := os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+"-"+paper.Name+".pdf"), pdf, 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	return bytes.Count(pdf, []byte("/Type /Page\n"))
}
