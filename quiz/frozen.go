package quiz

import "slices"

// Frozen is the question as a session asks it. The options of an Ordering are shuffled by shuffle, a function like that of
// math/rand/v2, though never into the right order unless all are the same or there are only two, where the other order would be known to be the
// right one, and Correct becomes the right order as indexes into them. All other kinds stay as they are.
func (q Question) Frozen(shuffle func(n int, swap func(i, j int))) Question {
	if q.Kind != Ordering {
		return q
	}
	authored := q.Options
	order := make([]int, len(authored)) // which authored option stands here
	for i := range order {
		order[i] = i
	}
	shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	q.Options = pick(authored, order)
	if len(authored) > 2 && slices.Equal(q.Options, authored) {
		other := slices.IndexFunc(authored, func(o string) bool { return o != authored[0] })
		if other > 0 {
			order[0], order[other] = order[other], order[0]
			q.Options = pick(authored, order)
		}
	}
	q.Correct = make([]int, len(order))
	for here, i := range order {
		q.Correct[i] = here
	}
	return q
}

func pick(options []string, order []int) []string {
	picked := make([]string, len(order))
	for here, i := range order {
		picked[here] = options[i]
	}
	return picked
}

// rightOrder are the indexes of an Ordering's options in their right order: as authored, until the question is frozen.
func (q Question) rightOrder() []int {
	if len(q.Correct) == len(q.Options) {
		return q.Correct
	}
	order := make([]int, len(q.Options))
	for i := range order {
		order[i] = i
	}
	return order
}
