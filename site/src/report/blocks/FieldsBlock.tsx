import type { FieldsBlock as Fields } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { formatCount } from "../../format/number.ts";
import { ScrollTable } from "../ScrollTable.tsx";

const Value = ({ value }: { value: string | null }) =>
  value === null ? <span class="soft">none</span> : <code>{value}</code>;

export const FieldsBlock = ({ block }: { block: Fields }) => (
  <section class="block block-wide">
    <h3>{block.title}</h3>
    {block.rows.length === 0 ? (
      <p class="soft">No fields.</p>
    ) : block.folded ? (
      <details>
        <summary>Show all {formatCount(block.rows.length + block.left)}</summary>
        <Rows block={block} />
      </details>
    ) : (
      <Rows block={block} />
    )}
  </section>
);

const Rows = ({ block: { title, rows, left } }: { block: Fields }) => (
  <>
    <ScrollTable label={title} look="by-field" columns={["Field", "Expected", "Answer", "Verdict"]}>
      <tbody>
        {rows.map(({ path, expected, answer, verdict, tone, note }) => (
          <tr>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td class="value">
              <Value value={expected} />
            </td>
            <td class="value">
              <Value value={answer} />
            </td>
            <td>
              <span class={`swatch ${toneClass(tone)}`} />
              {verdict}
              {note !== null && <span class="soft definition">{note}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
    {left > 0 && <p class="small soft">{formatCount(left)} more fields are not shown.</p>}
  </>
);
