package quiz

// Showcase returns a second quiz to try things with: every kind of question and every way to score a round, in ten minutes.
func Showcase() Content {
	return Content{
		Title:    "A Bit of Everything",
		Language: "en",
		Tags:     []string{"sample"},
		Rounds: []Round{
			{
				Title:        "One of each",
				Introduction: "Tap, tick, type, sort and guess. Your joker may double this round, or you may keep it for a later one.",
				Joker:        true,
				Questions: []Question{
					{Kind: Slide, Text: "Welcome! Nothing to answer yet: raise your glass to the table on your left.", Notes: "Wait until they have."},
					{Kind: Multiple, Text: "Which of these are fruits to a botanist?", Options: []string{"Tomato", "Carrot", "Cucumber", "Potato", "Pumpkin"},
						Correct: []int{0, 2, 4}, Partial: true, Seconds: 30, Points: 6, Notes: "Whatever grows from a flower and holds the seeds. A wrong tick takes a right one off."},
					surname(typed("Who painted the ceiling of the Sistine Chapel?", 2, "It took him four years, and he did not lie on his back.", "Michelangelo Buonarroti", "Michelangelo")),
					{Kind: NumberKind, Text: "How many steps lead up to the top floor of the Eiffel Tower?", Number: &Number{Value: 1665, Nearest: true, Unit: "steps"}, Seconds: 30, Points: 4,
						Notes: "The nearest guess takes the points. Visitors may climb the first 674 of them."},
					{Kind: Ordering, Text: "Put these in the order in which they were built, the oldest first.",
						Options: []string{"Stonehenge", "The Parthenon", "The Colosseum", "The Taj Mahal"}, Partial: true, Seconds: 45, Points: 4,
						Notes: "About 2500 BC, 432 BC, 80 AD, 1653."},
					{Kind: Poll, Text: "What belongs on a chip?", Options: []string{"Salt", "Vinegar", "Ketchup", "Mayonnaise"}, Seconds: 20, Notes: "No points, only friends lost."},
				},
			},
			{
				Title:        "As on paper",
				Introduction: "Five in a row, and the answers come all together at the end. Spelling is forgiven.",
				Pacing:       RoundsEnd,
				Joker:        true,
				Questions: []Question{
					surname(typed("Which king of England had six wives?", 2, "Divorced, beheaded, died; divorced, beheaded, survived.", "Henry VIII")),
					typed("Which sea creature has three hearts and nine brains?", 2, "One of the hearts stops when it swims, so it prefers to crawl.", "Octopus"),
					single("Which metal is liquid at room temperature?", 1, 2, "It freezes at −39 degrees.", "Tin", "Mercury", "Lead", "Zinc"),
					{Kind: NumberKind, Text: "How many keys has a full-size piano?", Number: &Number{Value: 88}, Seconds: 30, Points: 2, Notes: "52 white and 36 black ones."},
					trueOrFalse("Bananas are slightly radioactive.", true, 2, "Because of their potassium. You would need to eat millions at once to notice."),
				},
			},
			{
				Title:        "Double or quits",
				Introduction: "Everything counts double, quick answers earn more, and a wrong one costs a point. Then stake what you dare.",
				Weight:       2,
				Speed:        true,
				Negative:     1,
				Questions: []Question{
					single("Which planet has the shortest day?", 2, 2, "Under ten hours, although it is the largest.", "Mercury", "Mars", "Jupiter", "Neptune"),
					trueOrFalse("Oxford University is older than the Aztec Empire.", true, 2, "They taught at Oxford by 1096. Tenochtitlan was founded in 1325."),
					{Kind: Text, Text: "Your stake, please: which is the smallest country in the world?", Accepted: []string{"Vatican City", "Vatican", "The Holy See"}, Wager: true,
						Seconds: 60, Points: 2, Notes: "Half a square kilometre."},
					{Kind: NumberKind, Text: "To break a tie: how far is it from the Earth to the Moon, on average, in kilometres?",
						Number: &Number{Value: 384400, Nearest: true, Unit: "km"}, TieBreak: true, Seconds: 45, Notes: "Earns nothing; whoever is nearest wins among equals."},
				},
			},
		},
	}
}

func surname(q Question) Question {
	q.Surnames = true
	return q
}
