package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"pubquiz/internal/coalesce"
	"pubquiz/internal/postgres"
	"pubquiz/internal/words"
	"pubquiz/quiz"
)

// Outcome is what became of an answer.
type Outcome string

// The outcomes that the store decides. docs/protocol.md tells what each means to a phone.
const (
	Accepted        Outcome = "accepted"          // stored durably, now or by an earlier sending of the same answer
	AlreadyAnswered Outcome = "already-answered"  // another answer of this participant was accepted
	TooLate         Outcome = "too-late"          // the question is closed
	TooEarly        Outcome = "too-early"         // the question opens in a moment: sent again then, it counts
	NotThisQuestion Outcome = "not-this-question" // the question has not been launched, or does not exist
	WasRemoved      Outcome = "removed"           // the host removed the participant
	NotCaptain      Outcome = "not-captain"       // another phone answers for the team
)

// Answer is what a phone sends. Its JSON form is the protocol's.
type Answer struct {
	ID       string     `json:"id"`       // chosen by the phone, the same for every resend
	Question string     `json:"question"` // "2.4"
	Given    quiz.Given `json:"given"`
}

// Reply tells a phone what became of its answer.
type Reply struct {
	Outcome Outcome
	Given   quiz.Given // for AlreadyAnswered: what was accepted
}

const (
	batchLimit   = 1000            // answers in one statement
	queueLimit   = 20_000          // answers waiting for the next statement: beyond it, Postgres has stalled
	flushTimeout = 5 * time.Second // for one statement
)

var answerID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Answer stores a participant's answer and returns what became of it; Accepted means committed. It fails with
// *InvalidError or quiz.Problem when the answer is malformed or not one to this kind of question, with ErrRemoved or
// ErrNotParticipant, and with ErrBusy when the store did not say in time: the answer may then be stored or not, and
// sending it again is safe. The viewer must be a participant.
func (s *Service) Answer(ctx context.Context, v Viewer, a Answer) (Reply, error) {
	if err := v.stillAllowed(); err != nil {
		return Reply{}, err
	}
	if !answerID.MatchString(a.ID) {
		return Reply{}, &InvalidError{Field: "id", Detail: words.T("An answer's id is 1 to 64 letters, digits, dashes or underscores.")}
	}
	round, number, ok := parseQuestionRef(a.Question)
	if !ok {
		return Reply{}, &InvalidError{Field: "question", Detail: words.T("A question is named by its round and number, such as 2.4.")}
	}
	q, questionID, ok := v.room.question(round, number)
	if !ok {
		return Reply{Outcome: NotThisQuestion}, nil
	}
	if err := q.CheckGiven(a.Given); err != nil {
		if v.room.current.Load().find(a.Question).Status == StatusWaiting { // what fits would tell what is going to be asked
			return Reply{Outcome: NotThisQuestion}, nil
		}
		return Reply{}, err
	}
	if !v.decides() {
		return Reply{Outcome: NotCaptain}, nil
	}
	reply, err := s.answers.store(ctx, pendingAnswer{seat: v.Seat, question: questionID, answer: a})
	if err == nil && reply.Outcome == Accepted {
		v.room.took(v.Seat.Participant, a)
	}
	return reply, err
}

// pendingAnswer is an answer on its way into the store. Its caller waits on done.
type pendingAnswer struct {
	seat     Seat
	question int64
	answer   Answer
	done     chan<- stored
	span     trace.SpanContext // that it is of
}

type stored struct {
	reply Reply
	err   error
	batch trace.SpanContext
}

// batcher stores answers: whatever arrived while the last statement was committing is the next statement.
type batcher struct {
	pool    *pgxpool.Pool
	grace   time.Duration
	metrics metrics
	tracer  trace.Tracer
	flush   *coalesce.Runner

	mu      sync.Mutex
	waiting []pendingAnswer
}

func newBatcher(pool *pgxpool.Pool, grace time.Duration, m metrics, tracer trace.Tracer) *batcher {
	b := &batcher{pool: pool, grace: grace, metrics: m, tracer: tracer}
	b.flush = coalesce.New(b.flushWaiting)
	return b
}

// store queues the answer and waits for its own outcome.
func (b *batcher) store(ctx context.Context, p pendingAnswer) (Reply, error) {
	done := make(chan stored, 1)
	span := trace.SpanFromContext(ctx)
	p.done, p.span = done, span.SpanContext()
	b.mu.Lock()
	full := len(b.waiting) >= queueLimit
	if !full {
		b.waiting = append(b.waiting, p)
	}
	b.mu.Unlock()
	if full {
		return Reply{}, ErrBusy
	}
	b.flush.Signal()
	select {
	case st := <-done:
		if st.batch.IsValid() {
			span.AddLink(trace.Link{SpanContext: st.batch})
		}
		return st.reply, st.err
	case <-ctx.Done():
		return Reply{}, ErrBusy
	}
}

// waitingNow is how many answers wait.
func (b *batcher) waitingNow() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}

func (b *batcher) flushWaiting() {
	for {
		b.mu.Lock()
		n := min(len(b.waiting), batchLimit)
		batch := slices.Clone(b.waiting[:n])
		b.waiting = slices.Delete(b.waiting, 0, n)
		b.mu.Unlock()
		if n == 0 {
			return
		}
		b.storeBatch(batch)
	}
}

// storeBatch gives every caller in the batch its outcome. If Postgres refuses the statement, each answer is tried
// alone, so that one which cannot be stored takes no other with it; if the store is away, stalled or short of something, all of them fail.
func (b *batcher) storeBatch(batch []pendingAnswer) {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	ctx, span := b.begin(ctx, batch)
	defer span.End()
	began := time.Now()
	replies, err := b.insert(ctx, batch)
	if err == nil {
		b.metrics.tell(len(batch), began, batchStored)
		for i, p := range batch {
			p.done <- stored{reply: replies[i], batch: span.SpanContext()}
		}
		return
	}
	span.SetStatus(codes.Error, "")
	slog.Error("storing a batch of answers failed", "answers", len(batch), "error", err)
	if _, refused := errors.AsType[*pgconn.PgError](err); !refused || postgres.Unavailable(err) || len(batch) == 1 || ctx.Err() != nil {
		b.metrics.tell(len(batch), began, batchFailed)
		for _, p := range batch {
			p.done <- stored{err: fmt.Errorf("%w: %w", ErrBusy, err), batch: span.SpanContext()}
		}
		return
	}
	b.metrics.tell(len(batch), began, batchRefused)
	for i := range batch {
		b.storeBatch(batch[i : i+1])
	}
}

// begin begins the span of a batch. It is a trace of its own, linked to all that are in it.
func (b *batcher) begin(ctx context.Context, batch []pendingAnswer) (context.Context, trace.Span) {
	var links []trace.Link
	for _, p := range batch {
		if p.span.IsValid() {
			links = append(links, trace.Link{SpanContext: p.span})
		}
	}
	return b.tracer.Start(ctx, "store answers", trace.WithLinks(links...), trace.WithAttributes(attribute.Int("answers", len(batch))))
}

// insertAnswers stores the answers whose question takes answers at this moment, by the database's clock, and whose
// participant is still in (generation 0 is that of a team's further phones). FOR SHARE makes a close wait until they are committed, so that none is accepted and missing
// from the count. One reading of the clock decides for the batch, and says how long each took. It returns what is stored
// for every row that was taken; the rest is for explainAnswers.
const insertAnswers = `
	WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now), sent AS (
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::text[], $6::jsonb[])
			AS s (session_id, participant_id, generation, question_id, answer_id, given)
	), taking AS MATERIALIZED (
		SELECT q.id, c.now, least(2147483647, greatest(0,
			extract(epoch FROM coalesce(q.paused_at, c.now) - q.opens_at - q.paused_for) * 1000))::integer AS elapsed_ms
		FROM session_questions q, clock c
		WHERE q.id = ANY ($4) AND q.status = 'open' AND q.opens_at <= c.now AND (q.paused_at IS NOT NULL OR c.now < q.closes_at + $7)
		ORDER BY q.id FOR SHARE OF q
	)
	INSERT INTO answers (session_id, participant_id, question_id, answer_id, given, answered_at, elapsed_ms)
	SELECT s.session_id, s.participant_id, s.question_id, s.answer_id, s.given, t.now, t.elapsed_ms
	FROM sent s
	JOIN taking t ON t.id = s.question_id
	JOIN participants p ON p.id = s.participant_id AND p.session_id = s.session_id AND s.generation IN (0, p.generation) AND p.removed_at IS NULL
	ON CONFLICT ON CONSTRAINT uq_answers_participant_question DO NOTHING
	RETURNING participant_id, question_id, answer_id`

// explainAnswers says of answers that were not taken what stands in their place. Nothing, at a question that is open and whose time is not over: then it had
// not opened when they came. It may have since, which is why its opening is not asked for.
const explainAnswers = `
	SELECT s.n, p.removed_at IS NOT NULL OR s.generation NOT IN (0, p.generation), q.opens_at IS NULL,
		q.status = 'open' AND (q.paused_at IS NOT NULL OR clock_timestamp() < q.closes_at + $4), a.answer_id, a.given
	FROM unnest($1::bigint[], $2::int[], $3::bigint[]) WITH ORDINALITY AS s (participant_id, generation, question_id, n)
	JOIN participants p ON p.id = s.participant_id
	JOIN session_questions q ON q.id = s.question_id
	LEFT JOIN answers a ON a.participant_id = s.participant_id AND a.question_id = s.question_id`

// insert stores a batch in one statement and returns an outcome for each answer, in their order.
func (b *batcher) insert(ctx context.Context, batch []pendingAnswer) ([]Reply, error) {
	// Batches of two instances that locked the same rows in opposite orders would deadlock.
	slices.SortStableFunc(batch, func(x, y pendingAnswer) int {
		return cmp.Or(cmp.Compare(x.question, y.question), cmp.Compare(x.seat.Participant, y.seat.Participant))
	})
	n := len(batch)
	sessions, participants, questions := make([]ID, n), make([]int64, n), make([]int64, n)
	generations, ids, given := make([]int32, n), make([]string, n), make([][]byte, n)
	for i, p := range batch {
		raw, err := json.Marshal(p.answer.Given)
		if err != nil {
			return nil, err
		}
		sessions[i], participants[i], questions[i] = p.seat.Session, p.seat.Participant, p.question
		generations[i], ids[i], given[i] = int32(p.seat.Generation), p.answer.ID, raw
	}
	rows, err := b.pool.Query(ctx, insertAnswers, sessions, participants, generations, questions, ids, given, b.grace)
	if err != nil {
		return nil, fmt.Errorf("inserting answers: %w", err)
	}
	type key struct {
		participant, question int64
		id                    string
	}
	taken, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k key, err error) {
		err = row.Scan(&k.participant, &k.question, &k.id)
		return k, err
	})
	if err != nil {
		return nil, fmt.Errorf("inserting answers: %w", err)
	}
	keyOf := func(p pendingAnswer) key { return key{p.seat.Participant, p.question, p.answer.ID} }
	accepted := make(map[key]bool, len(taken))
	for _, k := range taken {
		accepted[k] = true
	}
	sent := make(map[key]int, n) // which of two answers under one id was stored, only the store can tell
	for _, p := range batch {
		sent[keyOf(p)]++
	}
	replies := make([]Reply, n)
	var rest []int
	for i, p := range batch {
		if k := keyOf(p); accepted[k] && sent[k] == 1 {
			replies[i].Outcome = Accepted
		} else {
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		return replies, nil
	}
	return replies, b.explain(ctx, batch, rest, replies)
}

// explain fills in the outcome of the answers at the indexes rest, by what is stored in their place.
func (b *batcher) explain(ctx context.Context, batch []pendingAnswer, rest []int, replies []Reply) error {
	participants, generations, questions := make([]int64, len(rest)), make([]int32, len(rest)), make([]int64, len(rest))
	for i, at := range rest {
		p := batch[at]
		participants[i], generations[i], questions[i] = p.seat.Participant, int32(p.seat.Generation), p.question
		replies[at].Outcome = WasRemoved // a participant who does not exist is none of this session
	}
	rows, err := b.pool.Query(ctx, explainAnswers, participants, generations, questions, b.grace)
	if err != nil {
		return fmt.Errorf("explaining answers: %w", err)
	}
	var (
		nth                     int
		removed, waiting, early bool
		storedID                *string
		given                   *quiz.Given
	)
	_, err = pgx.ForEachRow(rows, []any{&nth, &removed, &waiting, &early, &storedID, &given}, func() error {
		at := rest[nth-1]
		reply := &replies[at]
		switch {
		case removed:
			reply.Outcome = WasRemoved
		case storedID != nil && *storedID == batch[at].answer.ID && sameGiven(*given, batch[at].answer.Given):
			reply.Outcome = Accepted
		case storedID != nil:
			reply.Outcome, reply.Given = AlreadyAnswered, *given
		case waiting:
			reply.Outcome = NotThisQuestion
		case early:
			reply.Outcome = TooEarly
		default:
			reply.Outcome = TooLate
		}
		given = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("explaining answers: %w", err)
	}
	return nil
}

func sameGiven(a, b quiz.Given) bool {
	return a.Text == b.Text && a.Wager == b.Wager && slices.Equal(a.Choices, b.Choices)
}
