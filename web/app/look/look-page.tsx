import { SaveLine } from "../editor/save-line";
import { useUploads } from "../editor/use-uploads";
import { t } from "../lib/language";
import type { Look } from "../lib/protocol";
import { Accent } from "./accent";
import { AddPicture, Picture } from "./pictures";
import { Preview } from "./preview";
import { useLook } from "./use-look";

/** How many pictures take turns in the breaks: docs/protocol.md. */
const most = 8;

const forLogo = 0;
const forBreaks = 1;

/** What the pub looks like on the big screen, beside the big screen itself. */
export function LookPage({ first, style }: { first: Look; style: string }) {
  const { look, state, change, retry } = useLook(first);
  const { logo, pictures } = look;
  const uploads = useUploads((place, { id }) => {
    if (place === forLogo) change({ logo: id });
    else change((now) => ({ pictures: [...now.pictures, id] }));
  });
  const without = (i: number) => pictures.filter((_, other) => other !== i);
  const earlier = (i: number, id: string) => change({ pictures: [...without(i).slice(0, i - 1), id, ...without(i).slice(i - 1)] });
  return (
    <div class="look">
      <header class="bar">
        <a class="back" href="/host">
          {t("← Your quizzes")}
        </a>
        <h1>{t("Your pub’s look")}</h1>
        <SaveLine state={state} retry={retry} />
      </header>
      <main class="look-desk">
        <div class="look-form">
          <p class="lead">{t("It is on every big screen that you open. One that is open already shows it when its page is loaded again.")}</p>
          <section aria-labelledby="logo">
            <h2 id="logo">{t("Logo")}</h2>
            {logo && <Picture id={logo} alt={t("What the logo shows")} removal={t("Remove the logo")} remove={() => change({ logo: undefined })} />}
            <AddPicture words={logo ? t("Replace the logo") : t("Add a logo")} upload={uploads.of(forLogo)} send={(file) => uploads.send(forLogo, file, ["image"])} />
          </section>
          <Accent look={look} choose={(accent) => change({ accent })} />
          <section aria-labelledby="pictures">
            <h2 id="pictures">{t("Pictures for the breaks")}</h2>
            <p class="field-hint">
              {t("Your pub, tonight’s menu, your sponsors. They take turns when a round’s introduction stays on for more than 20 seconds, or standings for a minute and a half.")}
            </p>
            {pictures.length > 0 && (
              <ol class="pictures">
                {pictures.map((id, i) => (
                  <li key={`${id} ${i}`}>
                    <Picture
                      id={id}
                      alt={t("What picture {number} shows", { number: i + 1 })}
                      removal={t("Remove picture {number}", { number: i + 1 })}
                      earlier={i > 0 ? { label: t("Earlier: picture {number}", { number: i + 1 }), move: () => earlier(i, id) } : undefined}
                      remove={() => change({ pictures: without(i) })}
                    />
                  </li>
                ))}
              </ol>
            )}
            {pictures.length < most ? (
              <AddPicture words={t("Add a picture")} upload={uploads.of(forBreaks)} send={(file) => uploads.send(forBreaks, file, ["image"])} />
            ) : (
              <p class="field-hint">{t("These are as many as there can be.")}</p>
            )}
          </section>
        </div>
        <Preview look={look} style={style} />
      </main>
    </div>
  );
}
