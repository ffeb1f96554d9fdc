import type { Metric } from "#shared/contracts/metric.ts";
import { formatInterval, formatValue } from "../../format/number.ts";
import { ModelMarks } from "../../report/ModelMarks.tsx";
import type { RunChoice } from "./run-choice.ts";

interface Props {
  choices: readonly RunChoice[];
  chosen: ReadonlySet<string>;
  headline: Metric;
}

export const RunChoices = ({ choices, chosen, headline }: Props) => (
  <ul class="choices-list">
    {choices.map(({ run, rank, model, provenance, headline: estimate }) => (
      <li data-name={`${model.name} ${model.slug} ${run}`.toLowerCase()}>
        <label class="choice">
          <input type="checkbox" name="run" value={run} checked={chosen.has(run)} />
          <span class="choice-name">
            <span class="soft">{rank === null ? "Not ranked: " : `${rank}. `}</span>
            {model.name}
            <ModelMarks provenance={provenance} simulated={model.simulated} />
          </span>
          <span class="choice-score num">
            {estimate?.coverage === 0
              ? "nothing measured"
              : formatValue(estimate?.value, headline.format)}
            {estimate?.interval && estimate.coverage > 0 && (
              <span class="below soft">{formatInterval(estimate.interval, headline.format)}</span>
            )}
          </span>
        </label>
      </li>
    ))}
  </ul>
);
