import type { SampleRow } from "#shared/contracts/run.ts";
import { formatCount, formatValue } from "../format/number.ts";
import { ScrollTable } from "./ScrollTable.tsx";

interface Props {
  rows: readonly SampleRow[];
  /** Of the headline metric. */
  format: Parameters<typeof formatValue>[1];
  scoreLabel: string;
  hrefOf: (row: SampleRow) => string;
}

const stateOf = ({ status, covered, errorClass }: SampleRow): string => {
  if (!covered) return errorClass === null ? "no answer" : `failed: ${errorClass}`;
  return status === "scored" ? "scored" : status.replaceAll("_", " ");
};

/** Samples with score, times and tokens; a sample's id links to its answer. */
export const SampleTable = ({ rows, format, scoreLabel, hrefOf }: Props) => (
  <ScrollTable
    label="Samples"
    wide
    columns={[
      "Sample",
      { num: scoreLabel },
      "State",
      { num: "Latency" },
      { num: "Input tokens" },
      { num: "Output tokens" },
      { num: "Calls" },
    ]}
  >
    <tbody>
      {rows.map((row) => (
        <tr>
          <th scope="row">
            <a href={hrefOf(row)}>
              <code>{row.id}</code>
            </a>
          </th>
          <td class="num">{formatValue(row.score, format)}</td>
          <td>{stateOf(row)}</td>
          <td class="num">{formatValue(row.latencyMs, "ms")}</td>
          <td class="num">{row.inputTokens === null ? "–" : formatCount(row.inputTokens)}</td>
          <td class="num">{row.outputTokens === null ? "–" : formatCount(row.outputTokens)}</td>
          <td class="num">{formatCount(row.attempts)}</td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);
