import { Globe } from "./icons";
import { code, t } from "./language";

/** Which language the page speaks, in that language's own word, and the way to the others, which leads back here. */
export function LanguageLink({ look }: { look: string }) {
  const own = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  const name = own.charAt(0).toLocaleUpperCase(code) + own.slice(1);
  return (
    <a class={look} href={`/language?next=${encodeURIComponent(location.pathname)}`} aria-label={t("Language: {name}", { name })}>
      <Globe />
      {name}
    </a>
  );
}
