package quiz

// Sample returns a quiz to try everything with: three rounds of five questions, of all kinds.
func Sample() Content {
	return Content{
		Title: "A Quiz for a Good Evening",
		Rounds: []Round{
			{
				Title:        "Warming up",
				Introduction: "Five easy ones while the drinks arrive. No phones, apart from the one you are holding.",
				Questions: []Question{
					single("Which of these birds can fly backwards?", 2, 2,
						"Hummingbirds turn their wings over on the way back, so both strokes lift.", "Penguin", "Swan", "Hummingbird", "Ostrich"),
					trueOrFalse("An octopus has three hearts.", true, 2, "Two for the gills and one for everything else."),
					typed("How many legs does a spider have?", 2, "Insects have six.", "8", "eight"),
					single("How many strings does a violin have?", 0, 2, "G, D, A and E.", "Four", "Five", "Six", "Eight"),
					trueOrFalse("The Great Wall of China can be seen from the Moon with the naked eye.", false, 2,
						"From there, no single building can be."),
				},
			},
			{
				Title:        "Around the world",
				Introduction: "Pack lightly. We are visiting five continents in five questions.",
				Questions: []Question{
					single("Which river flows through Vienna, Budapest and Belgrade?", 1, 2,
						"It touches ten countries, more than any other river.", "Rhine", "Danube", "Elbe", "Vistula"),
					typed("What is the capital of Australia?", 2, "It was built because Sydney and Melbourne could not agree.", "Canberra"),
					trueOrFalse("Africa is crossed by the equator and by both tropics.", true, 2, "It is the only continent that is."),
					single("In which country is Machu Picchu, the Inca city in the clouds?", 3, 2,
						"About 2,430 metres up in the Andes.", "Bolivia", "Chile", "Mexico", "Peru"),
					typed("In which country is the ancient city of Petra, carved into rose-red rock?", 2, "The Nabataeans began it more than 2,000 years ago.",
						"Jordan", "Hashemite Kingdom of Jordan"),
				},
			},
			{
				Title:        "Last orders",
				Introduction: "Everything counts double now, so whoever is last may yet be first.",
				Questions: []Question{
					typed("Which chemical element has the symbol Au?", 4, "From its Latin name, aurum.", "Gold", "Aurum"),
					single("Which of these was invented first?", 0, 4,
						"Telescope 1608, piano about 1700, hot-air balloon 1783, telephone 1876.", "The telescope", "The piano", "The hot-air balloon", "The telephone"),
					trueOrFalse("To a botanist a banana is a berry, but a strawberry is not.", true, 4, "Expect an argument. The botanist wins."),
					single("Which composer wrote his last symphony when he could no longer hear?", 1, 4,
						"Beethoven's Ninth. At its first performance he had to be turned round to see the applause.",
						"Mozart", "Beethoven", "Haydn", "Tchaikovsky"),
					typed("Which drink is made from the leaves of the plant Camellia sinensis?", 4, "Green, black, white and oolong all come from it. Cheers.",
						"Tea", "Green tea", "Black tea", "White tea", "Oolong tea", "Chai"),
				},
			},
		},
	}
}

func single(text string, correct int, points Points, notes string, options ...string) Question {
	return Question{Kind: Single, Text: text, Options: options, Correct: []int{correct}, Seconds: 30, Points: points, Notes: notes}
}

func trueOrFalse(text string, right bool, points Points, notes string) Question {
	correct := 1
	if right {
		correct = 0
	}
	return Question{Kind: TrueFalse, Text: text, Correct: []int{correct}, Seconds: 20, Points: points, Notes: notes}
}

func typed(text string, points Points, notes string, accepted ...string) Question {
	return Question{Kind: Text, Text: text, Accepted: accepted, Seconds: 45, Points: points, Notes: notes}
}
