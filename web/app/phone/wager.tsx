import { rich, t } from "../lib/language";
import { points, pointsLong } from "../lib/words";

interface WagerProps {
  /** The most that can be staked: what the participant has, and has not staked already. */
  most: number;
  /** What is at stake on this round's earlier questions. */
  staked: number;
  stake: number;
  onChange: (stake: number) => void;
}

/** How much of one's own points is staked on the answer. */
export function Wager({ most, staked, stake, onChange }: WagerProps) {
  if (most <= 0) {
    const words = staked > 0 ? t("All your points are at stake already. You can still answer.") : t("You have no points to stake yet, so there is nothing to lose.");
    return <p class="wager">{words}</p>;
  }
  const to = (value: number) => onChange(Math.max(0, Math.min(most, value)));
  return (
    <fieldset class="wager">
      <legend>{rich("Your stake: {stake} of {most}", { stake: <output class="tabular">{points(stake)}</output>, most: pointsLong(most) })}</legend>
      <div class="stepper">
        <button type="button" class="button" aria-label={t("One point less")} aria-disabled={stake === 0} onClick={() => to(stake - 1)}>
          −
        </button>
        <input
          type="range"
          min={0}
          max={most}
          step={0.5}
          value={stake}
          aria-label={t("Stake")}
          aria-valuetext={pointsLong(stake)}
          onInput={(event) => to(event.currentTarget.valueAsNumber)}
        />
        <button type="button" class="button" aria-label={t("One point more")} aria-disabled={stake === most} onClick={() => to(stake + 1)}>
          +
        </button>
      </div>
      {staked > 0 && <p>{t("{points} already at stake in this round.", { points: pointsLong(staked) })}</p>}
    </fieldset>
  );
}

/** The most that somebody with so many points can stake: whole or half points, and no debts. */
export function mostToStake(sum: number): number {
  return Math.max(0, sum);
}
