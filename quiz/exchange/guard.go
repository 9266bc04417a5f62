package exchange

import "strings"

// Spreadsheets run cells that begin with one of these as formulas, the full-width ones among them.
const formulaStarts = "=+-@\t\r＝＋－＠"

// Guard makes a cell that a spreadsheet would run one that it shows, by an apostrophe before it. A cell that looks guarded already gets another,
// so that unguard finds what was there.
func Guard(cell string) string {
	if isFormula(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

// unguard undoes Guard.
func unguard(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && isFormula(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return cell
}

func isFormula(cell string) bool {
	return cell != "" && strings.ContainsRune(formulaStarts, []rune(cell)[0])
}
