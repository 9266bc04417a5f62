package web

import (
	"strconv"
	"time"

	"pubquiz/internal/words"
	"pubquiz/quiz"
	"pubquiz/session"
)

// questionChart is what there is to draw of how a question went.
type questionChart struct {
	Shares  []chartShare // how many were right, partly right, wrong and silent; none before the question has closed
	Options []optionBar
	Common  []commonWrong
	Median  string
	Times   *histogram
}

// chartShare is one part of a bar that stands for everyone, in thousandths of it.
type chartShare struct {
	Mark, Word    string
	Count         int
	Start, Length int
}

// optionBar is how many took an option, as a part of the most common one's thousand.
type optionBar struct {
	Letter, Text string
	Count        int
	Length       int
	Right        bool
}

// commonWrong is what several answered that was not right.
type commonWrong struct {
	Text  string
	Count int
}

// shownWrong is how many wrong answers are listed.
const shownWrong = 5

func chartOf(l *words.Language, q session.ResultsQuestion, participants int) questionChart {
	stats := q.Statistics
	chart := questionChart{Options: optionBars(l, &q.Question, stats.Distribution)}
	if stats.Right+stats.Part+stats.Wrong > 0 {
		chart.Shares = shares(l, stats, participants)
	}
	for _, wrong := range stats.CommonWrong[:min(shownWrong, len(stats.CommonWrong))] {
		chart.Common = append(chart.Common, commonWrong{givenWords(l, &q.Question, wrong.Given), wrong.Count})
	}
	if len(stats.Times) > 0 {
		chart.Median = secondsWords(l, stats.MedianTime())
		chart.Times = newHistogram(l, stats, time.Duration(q.Question.Seconds)*time.Second)
	}
	return chart
}

func shares(l *words.Language, stats session.Statistics, participants int) []chartShare {
	all := []chartShare{
		{Mark: "right", Word: l.Say(words.T("right")), Count: stats.Right}, {Mark: "part", Word: l.Say(words.T("partly right")), Count: stats.Part},
		{Mark: "wrong", Word: l.Say(words.T("wrong")), Count: stats.Wrong}, {Mark: "none", Word: l.Say(words.T("no answer")), Count: participants - stats.Answered},
	}
	var drawn []chartShare
	before := 0
	for _, s := range all {
		if s.Count == 0 {
			continue
		}
		s.Start = 1000 * before / participants
		before += s.Count
		s.Length = 1000*before/participants - s.Start
		drawn = append(drawn, s)
	}
	return drawn
}

func optionBars(l *words.Language, q *quiz.Question, distribution []int) []optionBar {
	if distribution == nil {
		return nil
	}
	most := 1
	for _, n := range distribution {
		most = max(most, n)
	}
	bars := make([]optionBar, len(distribution))
	for i, text := range choicesIn(l, q) {
		bars[i] = optionBar{Letter: optionLetter(i), Text: text, Count: distribution[i], Length: 1000 * distribution[i] / most}
	}
	for _, right := range q.Correct {
		bars[right].Right = true
	}
	return bars
}

// histogram is how long answers took, drawn in a box of histogramWidth by histogramHeight.
type histogram struct {
	Bars    []histogramBar
	Median  float64 // where on the axis
	Summary string
	End     string // of the axis
}

// histogramBar is how many answers came between two moments.
type histogramBar struct {
	From, To                int // seconds
	Count                   int
	X, Y, Width, Height, At float64 // At is its middle
}

const (
	histogramWidth  = 320.0
	histogramHeight = 96.0
	histogramTop    = 16.0 // left for the numbers on the bars
	histogramGap    = 2.0
	mostBars        = 12
)

// barSeconds are how many seconds a bar can stand for.
var barSeconds = []int{1, 2, 5, 10, 15, 30, 60, 120, 300, 600}

// newHistogram draws the times on an axis that is as long as the question was open, or longer where an answer took longer.
func newHistogram(l *words.Language, stats session.Statistics, open time.Duration) *histogram {
	longest := max(open, stats.Times[len(stats.Times)-1])
	end := max(1, int((longest+time.Second-1)/time.Second))
	step := (end + mostBars - 1) / mostBars
	for _, seconds := range barSeconds {
		if seconds*mostBars >= end {
			step = seconds
			break
		}
	}
	bars := make([]histogramBar, (end+step-1)/step)
	for _, t := range stats.Times {
		bars[min(int(t/time.Second)/step, len(bars)-1)].Count++
	}
	most := 0
	for i := range bars {
		if bars[i].Count > bars[most].Count {
			most = i
		}
	}
	slot := histogramWidth / float64(len(bars))
	for i := range bars {
		b := &bars[i]
		b.From, b.To = i*step, (i+1)*step
		b.Height = (histogramHeight - histogramTop) * float64(b.Count) / float64(bars[most].Count)
		b.X, b.Y, b.Width = float64(i)*slot+histogramGap/2, histogramHeight-b.Height, slot-histogramGap
		b.At = float64(i)*slot + slot/2
	}
	axis := time.Duration(len(bars)*step) * time.Second
	return &histogram{
		Bars: bars, End: l.Say(words.T("{seconds} s", "seconds", strconv.Itoa(len(bars)*step))), Median: histogramWidth * float64(stats.MedianTime()) / float64(axis),
		Summary: l.Say(words.T("Half of the answers had come after {median}. Most came between {from} and {to} seconds: {some} of {all}.",
			"median", secondsWords(l, stats.MedianTime()), "from", bars[most].From, "to", bars[most].To, "some", bars[most].Count, "all", stats.Answered)),
	}
}
