import { useContext } from "preact/hooks";
import { Check } from "../lib/icons";
import { t } from "../lib/language";
import { OptionMark } from "../lib/option-mark";
import type { Personal, Snapshot } from "../lib/protocol";
import { QuizLanguage } from "../lib/quiz-language";
import { JokerChoice } from "./joker";
import { SceneHeading } from "./scene-heading";
import { TeamCard } from "./team";

interface LobbyProps {
  session: string;
  shared: Snapshot;
  personal: Personal;
  now: () => number;
}

export function Lobby({ session, shared, personal, now }: LobbyProps) {
  const team = personal.team;
  return (
    <main class="scene lobby">
      <p class="eyebrow">
        <bdi lang={useContext(QuizLanguage)}>{shared.title}</bdi>
      </p>
      <div class="lobby-in">
        <p class="badge">
          <Check />
          {team && !team.captain ? t("You’re in, with") : t("You’re in")}
        </p>
        <SceneHeading of="lobby">
          <bdi>{personal.name}</bdi>
        </SceneHeading>
        <div class="lobby-marks">
          {[0, 1, 2, 3].map((index) => (
            <OptionMark index={index} />
          ))}
        </div>
      </div>
      <TeamCard session={session} personal={personal} now={now} />
      <JokerChoice session={session} shared={shared} personal={personal} />
      <p class="next">{t("The first round starts soon and comes up here by itself. Keep your phone at hand.")}</p>
    </main>
  );
}
