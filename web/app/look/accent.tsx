import { t } from "../lib/language";
import type { Look } from "../lib/protocol";

/** What the field shows where none was chosen: --accent of the design's tokens. */
const usual = "#ffb52e";

/** The pub's colour. */
export function Accent({ look, choose }: { look: Look; choose: (accent: string | undefined) => void }) {
  return (
    <section aria-labelledby="accent">
      <h2 id="accent">{t("Colour")}</h2>
      <div class="accent">
        <input type="color" id="accent-field" aria-label={t("Your colour")} value={look.accent ?? usual} onChange={(event) => choose(event.currentTarget.value)} />
        <label for="accent-field">{look.accent ?? t("The usual amber")}</label>
        {look.accent && (
          <button type="button" class="button button-small button-quiet" onClick={() => choose(undefined)}>
            {t("Back to amber")}
          </button>
        )}
      </div>
      <p class="field-hint">{t("Where it would be hard to read, a darker or lighter shade of it is used, on light and on dark screens.")}</p>
    </section>
  );
}
