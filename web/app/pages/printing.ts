/** Shows the buttons that print the page, which only a script can do. */
export function offerPrinting(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
}
