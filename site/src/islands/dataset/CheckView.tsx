import type { DatasetCheck } from "#shared/contracts/datasets/dataset.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import { formatCount } from "../../format/number.ts";
import { ScrollTable } from "../../report/ScrollTable.tsx";

/** Maximum invalid rows listed. */
const MOST_LISTED = 50;

/** The service's check of the rows, and the first of them as they are sent. */
export const CheckView = ({
  check,
  rows,
}: {
  check: DatasetCheck;
  rows: readonly JsonObject[];
}) => {
  const { samples, malformed, malformedCount, warnings } = check;
  const notes = [
    ...malformed.map((note) => ({ ...note, is: "refused" })),
    ...warnings.map((note) => ({ ...note, is: "note" })),
  ].slice(0, MOST_LISTED);
  return (
    <>
      <p class="prose" role="status">
        <strong>{`${formatCount(samples)} of ${formatCount(samples + malformedCount)} rows are valid.`}</strong>
        {malformedCount > 0 && " Correct the others, or choose to leave them out."}
      </p>
      {notes.length > 0 && (
        <ScrollTable label="Rows with problems" columns={[{ num: "Row" }, "Id", "Outcome", "Why"]}>
          <tbody>
            {notes.map(({ line, id, is, reason }) => (
              <tr>
                <td class="num">{line}</td>
                <td>{id ?? "–"}</td>
                <td>{is}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
      <h2>The first rows as they are sent</h2>
      {rows.map((row) => (
        <pre class="wrap">{JSON.stringify(row, null, 2)}</pre>
      ))}
    </>
  );
};
