import { locale } from "../lib/language";

/** The languages that are offered, as BCP 47 tags, in the order of their names. */
export const languages: readonly string[] = [
  ...["ar", "bg", "ca", "cs", "cy", "da", "de", "el", "en", "en-GB", "en-US", "es", "et", "eu", "fa", "fi", "fr", "ga", "gd", "gl", "he", "hi"],
  ...["hr", "hu", "id", "is", "it", "ja", "ko", "lt", "lv", "ms", "nb", "nl", "nn", "pl", "pt", "pt-BR", "ro", "ru", "sk", "sl", "sr", "sv"],
  ...["th", "tr", "uk", "vi", "zh-Hans", "zh-Hant"],
].sort((a, b) => languageName(a).localeCompare(languageName(b), locale));

/** A language's name in the page's language: Portuguese (Brazil). The tag itself where the browser knows no name. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: "language", languageDisplay: "standard" }).of(tag) ?? tag;
  } catch {
    return tag; // written by hand into a file
  }
}
