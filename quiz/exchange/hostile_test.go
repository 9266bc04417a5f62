package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// replaced is a workbook with one of its parts replaced by what write writes.
func replaced(t testing.TB, original []byte, part string, write func(w *strings.Builder)) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(original), int64(len(original)))
	must(t, err)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range in.File {
		if file.Name != part {
			must(t, w.Copy(file))
		}
	}
	f, err := w.Create(part)
	must(t, err)
	var content strings.Builder
	write(&content)
	_, err = f.Write([]byte(content.String()))
	must(t, err)
	must(t, w.Close())
	return out.Bytes()
}

// Files that are small until they are unpacked are refused before they cost much.
func TestBombs(t *testing.T) {
	original := kahootFile(t)
	const sheet, shared = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
	const begin, end = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`, `</sheetData></worksheet>`
	for _, test := range []struct {
		name, part string
		write      func(w *strings.Builder)
	}{
		{"a sheet of 20 MB", sheet, func(w *strings.Builder) { w.WriteString(begin + strings.Repeat(" ", 20<<20) + end) }},
		{"texts of 20 MB", shared, func(w *strings.Builder) {
			w.WriteString("<sst><si><t>" + strings.Repeat("x", 20<<20) + "</t></si></sst>")
		}},
		{"something else of 20 MB", "xl/media/image1.png", func(w *strings.Builder) { w.WriteString(strings.Repeat("\x00", 20<<20)) }},
		{"a million texts", shared, func(w *strings.Builder) {
			w.WriteString(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` + strings.Repeat("<si/>", 1<<20) + "</sst>")
		}},
		{"as many texts as are allowed", shared, func(w *strings.Builder) {
			w.WriteString(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` + strings.Repeat("<si/>", maxTags-1000) + "</sst>")
		}},
		{"wide rows", sheet, func(w *strings.Builder) {
			w.WriteString(begin)
			for i := range 100_000 {
				fmt.Fprintf(w, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+1, i+1)
			}
			w.WriteString(end)
		}},
		{"a million short rows", sheet, func(w *strings.Builder) {
			w.WriteString(begin)
			for i := range 300_000 {
				fmt.Fprintf(w, `<row r="%d"><c><v>1</v></c></row>`, i+1)
			}
			w.WriteString(end)
		}},
		{"a row far down", sheet, func(w *strings.Builder) {
			w.WriteString(begin + `<row r="2000000000"><c r="A2000000000"><v>1</v></c></row>` + end)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := replaced(t, original, test.part, test.write)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			started := time.Now()
			_, err := Read(words.English, "bomb.xlsx", data)
			took := time.Since(started)
			runtime.ReadMemStats(&after)
			t.Logf("%d kB: %v, %d MB allocated: %v", len(data)>>10, took, (after.TotalAlloc-before.TotalAlloc)>>20, err)
			if _, refused := errors.AsType[*RefusedError](err); !refused {
				t.Errorf("Read = %v, want it refused", err)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 200<<20 {
				t.Errorf("it allocated %d MB", allocated>>20)
			}
		})
	}
}

// Of a workbook of many parts, each of which takes something to unpack, though nothing is in it, only so many are looked at.
func TestManyParts(t *testing.T) {
	workbook := kahootFile(t)
	original, err := zip.NewReader(bytes.NewReader(workbook), int64(len(workbook)))
	must(t, err)
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for _, file := range original.File {
		must(t, w.Copy(file))
	}
	for i := range 50_000 {
		nothing := []byte{3, 0} // packed
		part, err := w.CreateRaw(&zip.FileHeader{Name: strconv.Itoa(i), Method: zip.Deflate, CompressedSize64: uint64(len(nothing))})
		must(t, err)
		_, err = part.Write(nothing)
		must(t, err)
	}
	must(t, w.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(words.English, "parts.xlsx", data.Bytes())
	runtime.ReadMemStats(&after)
	if _, refused := errors.AsType[*RefusedError](err); !refused {
		t.Errorf("Read = %v, want it refused", err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 200<<20 {
		t.Errorf("%d kB took %d MB", data.Len()>>10, allocated>>20)
	}
}

// FuzzRead reads whatever there is. Nothing panics, and what is taken is within bounds, accounted for, and can be written and read again.
func FuzzRead(f *testing.F) {
	for _, data := range fixtures(f) {
		f.Add(data)
	}
	for _, text := range []string{"Question,Answer\n\"a\"b,c", "Question;Answer\n'=1;'+1", "a - b", "::t::", "{#1..}", "A. x\nANSWER:", "[{}]", `{"title":1,"rounds":{}}`,
		"Question,Option 1,Answer\nx,1,2", "x {=a#b#c ~%x%d}", "\xff\xfea", "Question\tAnswer\n\t\n\u00a0\tx"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := Read(words.English, "file", data)
		if err != nil {
			if _, ok := errors.AsType[*RefusedError](err); !ok {
				t.Fatalf("%v is no refusal", err)
			}
			return
		}
		sound(t, found)
		readAgain(t, found.Content)
	})
}

// readAgain fails the test unless what is written of the content reads as it is.
func readAgain(t *testing.T, content quiz.Content) {
	t.Helper()
	first, err := WriteJSON(content)
	must(t, err)
	if len(first) <= MaxBytes {
		again, err := Read(words.English, "file", first)
		must(t, err)
		if second, err := WriteJSON(again.Content); err != nil || !bytes.Equal(first, second) {
			t.Errorf("written, read and written again (%v):\n%s\n%s", err, first, second)
		}
	}
	csv, err := WriteCSV(content)
	must(t, err)
	_, err = Read(words.English, "file.csv", csv)
	if _, refused := errors.AsType[*RefusedError](err); err != nil && !refused {
		t.Error(err)
	}
	if gift := WriteGIFT(content); len(gift) == 0 {
		t.Error("no GIFT")
	}
}

// FuzzSheet, FuzzGIFT, FuzzAiken and FuzzList take the parsers by themselves, since few inputs of FuzzRead get there.
func FuzzSheet(f *testing.F) {
	f.Add("a,b,c", ";", "1|2")
	f.Fuzz(func(t *testing.T, cells, header, answer string) {
		found, err := Read(words.English, "x.csv", []byte("Round,Question,Answer,Option 1,Option 2,"+header+"\n"+cells+"\nR,Q,"+answer+",a,b\n"))
		if err == nil {
			sound(t, found)
		}
	})
}

func FuzzGIFT(f *testing.F) {
	fuzzText(f, gift, "Q {=a ~b}", "{#=1:2 =%50%3}", "::a::[html]b{T#x}", "$CATEGORY: a//b/c\n\nd", `\{ {=\}}`)
}
func FuzzAiken(f *testing.F) {
	fuzzText(f, aiken, "Q\nA. a\nB) b\nANSWER: B", "A. a\nANSWER:", "Q\n\nANSWER: A")
}
func FuzzList(f *testing.F) { fuzzText(f, list, "1. a? b", "a - b; c", "x = TRUE", "- -") }

func fuzzText(f *testing.F, format textFormat, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := collector{in: words.English, title: "x"}
		if err := format.read(text, &c); err != nil {
			return
		}
		if found, err := c.result(format.name, InLines); err == nil {
			sound(t, found)
		}
	})
}

// TestManyAnswers: a question with so many answers that nobody can tell which were meant is skipped, and the others are taken.
func TestManyAnswers(t *testing.T) {
	text := func(n int) string {
		return "::t:: q {=a" + strings.Repeat(" ~b", n-1) + "}\n\nr {T}\n"
	}
	for n, want := range map[int]Status{maxAnswers: Changed, maxAnswers + 1: Skipped, 10 * maxAnswers: Skipped} {
		found, err := Read(words.English, "x.gift", []byte(text(n)))
		must(t, err)
		if row := found.Rows[0]; row.Status != want || len(row.Notes) == 0 || len(row.Notes) > maxDraftNotes || found.Rows[1].Status != Fine {
			t.Errorf("%d answers: %+v", n, found.Rows)
		}
	}
}

// TestRepeated: thirty kilobytes of the same again, wherever a format has it, is read or refused, and takes no more memory than its size is worth. What
// takes a step for each pair of them does not end.
func TestRepeated(t *testing.T) {
	const sheet = "Round,Question,Answer,Option 1,Option 2,Tags,Notes,Rules\n"
	places := []struct {
		name, begin, end string
		units            []string // %d: another number each time
	}{
		{"nothing else", "", "", []string{",", ";", "\t", "|", "\"", "'", "=", "~", "{", "}", "[", "]", "#", ":", "::", "\\", "- ", "? ", "x\n\n", "A. \n", "//", "[{},", "%d,"}},
		{"heading", "Question,Answer", "\nq,a\n", []string{",Option 1", ",", ",%d", " "}},
		{"heading of many rows", "Question,Answer," + strings.Repeat("x", 1<<19) + "\n", "", []string{"q,a\n"}},
		{"row", sheet + "r,q,a", "\n", []string{",", ",x", ",%d", "\"", "\n", "\n\"\""}},
		{"rows", sheet, "", []string{"\n", ",\n", "r,%d,a\n", ",,,\n", "\"\n\"\n"}},
		{"rounds", sheet + strings.Repeat("r", 1<<19) + ",q,a\n", "", []string{",%d,a\n"}},
		{"answer", sheet + "r,q,\"", "\",a,b\n", []string{"a;", "%d|", ";", "|", "\\;", "A,", "A&", "1,", "and", " "}},
		{"option", sheet + "r,q,\"a;a;a;a;a;a\",\"", "\",b\n", []string{"x ", "a;", "|"}},
		{"tags", sheet + "r,q,a,,,\"", "\",,\n", []string{"%d;", ";", "|"}},
		{"notes", sheet + "r,q,a,,,,\"", "\",\n", []string{"%d\n", "\n"}},
		{"rules", sheet + "r,q,a,,,,,\"", "\"\n", []string{"%d;", "x;", ",", "wager;"}},
		{"wrong answers", "Question,Answer", "\nq,a\n", []string{",Wrong %d"}},
		{"GIFT answers", "::t:: q {", "}", []string{"=a ~b ", "~", "=", "=x ", "~%%50%%%d ", "=%d#%d ", "~x#", "=%%", "{", "->", "=->"}},
		{"GIFT truth", "q {T", "}", []string{"#%d", "#", "####"}},
		{"GIFT number", "q {#", "}", []string{"=%d ", "=1#%d ", "..", ":", "#%d", "1", "~"}},
		{"GIFT title", "::t:: q {T}\n\n", "", []string{"::", "::x::", "[html]", "}", "x{", "\\:"}},
		{"GIFT category", "$CATEGORY: ", "\n\nq {T}\n\nr {F}", []string{"/", "//", "x/"}},
		{"GIFT block", "q {T}\n\n\"", "\"", []string{"x\n", "//\n", "\n", "q {T}\n\n"}},
		{"Aiken options", "\"Q\n", "ANSWER: A\n\"", []string{"A. x\n", "B) %d\n", "x\n", "\n", "ANSWER:\n"}},
		{"Aiken question", "Q\nA. a\nANSWER: A\n\"", "\"", []string{"x\n", "Q\nA. a\n"}},
		{"list", "Which? - ", "\n", []string{"a;", "%d|", "- ", "? ", "\t", ";"}},
		{"Open Trivia DB", `{"results":[`, `{}]}`, []string{"{},", "1,", "[],"}},
		{"Open Trivia DB's answers", `[{"question":"q","correct_answer":"a","incorrect_answers":[`, `"x"]}]`, []string{`"",`, `"%d",`, `"&amp;",`, "1,", "[],"}},
		{"ARSnova", `{"exportVersion":1,"quiz":{"questions":[`, `{}]}}`, []string{"{},", "1,", "[],"}},
		{"ARSnova's answers", `{"exportVersion":1,"quiz":{"questions":[{"text":"q","answers":[`, `{}]}]}}`, []string{"{},", `{"text":"%d"},`, "[],"}},
		{"Razzia", `{"questions":[`, `{}]}`, []string{"{},", "1,", `{"question":"q"},`}},
		{"Razzia's answers", `{"questions":[{"question":"q","answers":[`, `"x"],"solutions":[0]}]}`, []string{`"",`, `"%d",`, "1,"}},
		{"Razzia's solutions", `{"questions":[{"question":"q","answers":["a","b"],"solutions":[`, `0]}]}`, []string{"1,", "%d,"}},
		{"members", `{`, `"questions":[]}`, []string{`"%d":0,`, `"x":{},`}},
		{"our rounds", `{"title":"t","rounds":[`, `{}]}`, []string{"{},", "[],", `{"questions":[]},`}},
		{"our questions", `{"title":"t","rounds":[{"questions":[`, `{}]}]}`, []string{"{},", "1,", "[],"}},
		{"our options", `{"title":"t","rounds":[{"questions":[{"kind":"single","text":"q","options":[`, `"a"]}]}]}`, []string{`"",`, `"%d",`}},
		{"our tags", `{"title":"t","rounds":[],"tags":[`, `"a"]}`, []string{`"",`, `"%d",`}},
		{"depth", `{"title":"t","rounds":`, ``, []string{"[", `{"a":`}},
	}
	const size = 1 << 15
	for _, place := range places {
		for _, unit := range place.units {
			var data bytes.Buffer
			data.WriteString(place.begin)
			for i := 0; data.Len() < size; i++ {
				data.WriteString(strings.NewReplacer("%%", "%", "%d", strconv.Itoa(i)).Replace(unit))
			}
			data.WriteString(place.end)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			found, err := Read(words.English, "file", data.Bytes())
			runtime.ReadMemStats(&after)
			if _, refused := errors.AsType[*RefusedError](err); err != nil && !refused {
				t.Errorf("%s of %q: %v", place.name, unit, err)
			}
			if err == nil {
				sound(t, found)
			}
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 128 {
				t.Errorf("%s of %q took %d MB (%v)", place.name, unit, allocated, err)
			}
		}
	}
}
