package session

// lookalikes lists, for a plain letter or digit, the lower-case letters of other alphabets that a person takes for it,
// in their small form or (в, н) in their capital one. The facts are those of Unicode's confusables (UTS #39), for the
// scripts that share shapes with Latin: Greek, Cyrillic, Armenian, Coptic, Cherokee, Lisu and Latin's own small
// capitals and phonetic letters. Look-alikes of several letters (rn for m) are left out: too many honest names would
// collide.
//
// What differs only by width or style (fullwidth, mathematical, circled) is not here, since NFKC takes care of it.
var lookalikes = map[rune]string{
	'\'': "’‘ʼʹ′`",
	'"':  "“”",
	'-':  "‐‑‒–—−",
	'3':  "ȝɜʒзӡⳍꝫ",
	'a':  "ɑαаꭺᴀꓮ",
	'b':  "ƅʙβвьꮟᏼꓐꞵ",
	'c':  "сꮯᴄⲥꓚ",
	'd':  "ԁꭰꮷᴅꓒꓓ",
	'e':  "εеҽꭼᴇꓰꬲ",
	'f':  "ϝքẝꓝꞙꬵ",
	'g':  "ƍɡɢԍցꮐᏻᶃꓖ",
	'h':  "ʜηнһհꮋꮒⲏꓧ",
	'j':  "ʝϳјꭻᴊꓙ",
	'k':  "κкꮶᴋⲕꓗ",
	'l':  "ıǀɩɪʟιіӏꭵꮮⲓⳑꓡꓲꙇ",
	'm':  "μϻмꮇᴍⲙꓟ",
	'n':  "ɴոռⲛꓠ",
	'o':  "οσоօᴏᴑⲟꓳꬽ",
	'p':  "ρрꮲᴘⲣꓑ",
	'q':  "ԛզ",
	'r':  "ʀгꭱꮁꮢᴦⲅꓣꭇꭈ",
	's':  "ƽѕտꮥꮪꓢꜱ",
	't':  "τтꭲᴛⲧꓔ",
	'u':  "ʋυսᴜꓴꞟꭎꭒ",
	'v':  "νѵꮩᴠꓦ",
	'w':  "ɯѡԝաꮃꮤᴡꓪ",
	'x':  "χхⲭꓫꭓ",
	'y':  "ɣʏγуүꭹꮍᶌỿⲩꓬꭚ",
	'z':  "ζꮓᴢꓜ",
}

// plainForms is lookalikes the other way round. Digits join the letters that they pass for, and i joins l, because the capital I and
// the small l are one stroke: without regard to case, those four are one.
var plainForms = func() map[rune]rune {
	forms := map[rune]rune{'0': 'o', '1': 'l', '|': 'l', 'i': 'l'}
	for plain, others := range lookalikes {
		for _, other := range others {
			forms[other] = plain
		}
	}
	return forms
}()
