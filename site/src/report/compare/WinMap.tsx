import type { MetricComparison } from "#shared/contracts/boards/comparison.ts";
import { winInterval } from "#shared/measures/comparison/tie-groups.ts";
import { winShade } from "../../charts/matrix.ts";
import { ScrollTable } from "../ScrollTable.tsx";

/** How often the row's model beats the column's, and the mark of a significant difference. */
export interface WinRate {
  rate: number;
  mark: string;
}

interface Props extends Pick<MetricComparison, "samples" | "units"> {
  names: readonly string[];
  /** By row and column, 0–1; null on the diagonal. */
  cells: readonly (readonly (WinRate | null)[])[];
}

/** Columns that fit on a phone. */
const fewNames = 5;

/** Explains the text below a rate, or why there is none; it ends a sentence. */
export const winIntervalNote = ({ units }: Pick<MetricComparison, "units">): string =>
  units.kind === "samples"
    ? "below it the 95% interval of that share (Wilson)."
    : "no intervals, because samples share sources.";

const percent = (share: number): string => String(Math.round(share * 100));

/** The highest rate, and how many pairs differ. */
function summaryOf({ names, cells }: Props): string {
  const pairs = cells.flatMap((row, i) =>
    row.flatMap((cell, j) => (cell === null ? [] : [{ ...cell, i, j }])),
  );
  const [first] = pairs;
  if (first === undefined) return "Nothing to compare.";
  const most = pairs.reduce((a, b) => (b.rate > a.rate ? b : a), first);
  const different = pairs.filter(({ i, j, mark }) => i < j && mark !== "").length;
  const count = (names.length * (names.length - 1)) / 2;
  return `Highest: ${percent(most.rate)}%, ${names[most.i]} over ${names[most.j]}; ${different} of ${count} pairs differ significantly.`;
}

/** A table with coloured cells: the row's share of wins in percent, and below it the interval. */
export const WinMap = (props: Props) => (
  <>
    <p class="small soft">{summaryOf(props)}</p>
    <ScrollTable label="Win rates by pair" wide={props.names.length > fewNames} look="win-map">
      <thead>
        <tr>
          <th scope="col">Row against column</th>
          {props.names.map((name, i) => (
            <th scope="col">
              <abbr title={name}>{i + 1}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.cells.map((row, i) => (
          <tr>
            <th scope="row">
              {i + 1} {props.names[i]}
            </th>
            {row.map((cell) => (cell ? <WinCell {...cell} of={props} /> : <td>–</td>))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </>
);

function WinCell({ rate, mark, of }: WinRate & { of: Props }) {
  const ends = winInterval(rate, of);
  return (
    <td class={winShade(rate)}>
      {percent(rate)}
      {mark}
      {ends && (
        <>
          {" "}
          <small>{ends.map(percent).join("–")}</small>
        </>
      )}
    </td>
  );
}
