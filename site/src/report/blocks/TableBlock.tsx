import { isPrinted, type TableBlock as Table, type Tone } from "#shared/contracts/report.ts";
import { levelNames } from "#shared/measures/report/figures/tier.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { formatValue } from "../../format/number.ts";
import { ScrollTable } from "../ScrollTable.tsx";
import { SampleLink } from "../SiteLink.tsx";
import { sampleHref } from "../samples/sample-links.ts";

type Column = Table["columns"][number];

// More rows than fit next to the other charts are folded.
const mostOpenRows = 15;
const mostNarrowColumns = 4;
/** Maximum characters of a row that fit in half a page. */
const mostNarrowText = 56;

function cellText(row: Table["rows"][number], { id, format }: Column): string {
  const value = row[id] ?? null;
  if (value === null) return "–";
  return typeof value === "string" || isPrinted(format)
    ? String(value)
    : formatValue(value, format);
}

const isText = ({ format }: Column): boolean => format === "text" || format === "grade";

const levelTones: Readonly<Record<string, Tone>> = {
  [levelNames.excellence]: "excellent",
  [levelNames.target]: "good",
  [levelNames.minimum]: "fair",
  [levelNames.fails]: "poor",
};

/** A level as a pill, followed by the scale; a letter grade appears only in the tooltip. */
const Grade = ({ text, letter }: { text: string; letter: string | number | null }) => {
  const level = Object.keys(levelTones).find((name) => text.startsWith(name));
  if (level === undefined) return text;
  return (
    <>
      <span
        class={`pill ${toneClass(levelTones[level] ?? "neutral")}`}
        title={letter === null ? undefined : `Letter grade ${letter}`}
      >
        {level}
      </span>
      {/* A comma would start a line in a narrow column. */}
      <span class="small soft">{text.slice(level.length).replace(/^,/, "")}</span>
    </>
  );
};

const Content = ({ row, column }: { row: Table["rows"][number]; column: Column }) => {
  const text = cellText(row, column);
  return column.format === "grade" ? <Grade text={text} letter={row["letter"] ?? null} /> : text;
};

/** Whether the table needs more than half a page. */
const isWide = ({ columns, rows }: Table): boolean => {
  const longest = columns.map((column) =>
    Math.max(column.label.length, ...rows.map((row) => cellText(row, column).length)),
  );
  const text = longest.reduce((sum, length) => sum + length, 0);
  return columns.length > mostNarrowColumns || text > mostNarrowText;
};

const Rows = ({ block }: { block: Table }) => {
  const { title, columns, rows, samples = [], below } = block;
  const [first, ...rest] = columns;
  // Only the rarer kind of cell has a class.
  const figures = rest.filter(isText).length * 2 < rest.length;
  const classOf = (column: Column) => {
    if (isText(column)) return figures ? "text" : undefined;
    return figures ? undefined : "num";
  };
  return (
    <>
      <ScrollTable
        label={title}
        figures={figures}
        wide={isWide(block)}
        columns={columns.map((column) => (isText(column) ? column.label : { num: column.label }))}
      >
        <tbody>
          {rows.map((row, i) => (
            <tr>
              {first && (
                <th scope="row" class={isText(first) ? undefined : "num"}>
                  <SampleLink href={sampleHref(samples[i])}>{cellText(row, first)}</SampleLink>
                </th>
              )}
              {rest.map((column) => (
                <td class={classOf(column)}>
                  <Content row={row} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      {below !== undefined && <p class="small soft">{below}</p>}
    </>
  );
};

export const TableBlock = ({ block }: { block: Table }) => {
  const { title, rows } = block;
  return (
    <section class={isWide(block) ? "block block-wide" : "block"}>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="soft">Nothing to list.</p>
      ) : rows.length <= mostOpenRows && !block.folded ? (
        <Rows block={block} />
      ) : (
        <details>
          <summary>{rows.length === 1 ? "1 row" : `${rows.length} rows`}</summary>
          <Rows block={block} />
        </details>
      )}
    </section>
  );
};
