import type { MarginTests, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { View } from "#shared/contracts/suite.ts";
import { type Compared, markedNames, rankedRuns } from "./compared.ts";

interface Props {
  label: string;
  /** Label of the list. */
  name: string;
  options: readonly { value: string; label: string }[];
  chosen: string | null;
}

/** A select for what is shown. */
export const Choice = ({ label, name, options, chosen }: Props) => (
  <label class="field">
    {label}
    <select data-shows={name} autocomplete="off">
      {options.map((option) => (
        <option value={option.value} selected={option.value === chosen}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);

/** A select for one of the compared runs, the best first. */
export const RunChoice = ({
  compared: { comparison },
  ...more
}: Omit<Props, "options"> & { compared: Compared }) => {
  const names = markedNames(comparison);
  const options = rankedRuns(comparison).map(({ run }) => ({
    value: run,
    label: names.get(run) ?? run,
  }));
  return <Choice options={options} {...more} />;
};

export interface Selection {
  view: View;
  /** Null without common samples. */
  tested: MetricComparison | null;
  /** Only differences from this run are drawn; null: those of all pairs. */
  against: string | null;
  /** Tests of whether runs are within a margin of each other; a text: why there are none yet; null: not requested. */
  margin: MarginTests | string | null;
}

/** Available margins of scores from 0 to 1. */
export const margins = [0.01, 0.02, 0.05, 0.1] as const;

/** Maximum pairs in a drawing; with more, only those of one run are drawn. */
const mostDrawnPairs = 15;

/** Whether differences are drawn for one run at a time. */
export const drawsAgainstOne = ({ comparison: { runs } }: Compared): boolean =>
  (runs.length * (runs.length - 1)) / 2 > mostDrawnPairs;
