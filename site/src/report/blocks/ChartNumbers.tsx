import type { SampleFilter } from "#shared/contracts/report.ts";
import { drawingTable } from "#shared/measures/report/markdown/chart-table.ts";
import { samplesOf } from "../../charts/scatter.ts";
import { Head } from "../ScrollTable.tsx";
import { SampleLink } from "../SiteLink.tsx";
import { sampleHref } from "../samples/sample-links.ts";

type Chart = Parameters<typeof drawingTable>[0];

/** The samples of a cell of the table; if cells have none of their own, the first cell has those of its row. */
function samplesIn(block: Chart): (row: number, column: number) => SampleFilter | null | undefined {
  const ofRow = (rows: readonly { samples?: SampleFilter }[]) => (row: number, column: number) =>
    column === 0 ? rows[row]?.samples : null;
  switch (block.kind) {
    case "bars":
      return ofRow(block.bars);
    case "scatter":
      return (row, column) => {
        const point = block.points[row];
        return column === 0 && point ? samplesOf(point, block) : null;
      };
    case "tree":
      return ofRow(block.groups.flatMap(({ parts }) => parts.filter(({ count }) => count > 0)));
    case "matrix":
      return (row, column) =>
        block.cells[row]?.[column - 1] ? block.samples?.[row]?.[column - 1] : null;
    default:
      return () => null;
  }
}

/** The numbers of a chart, the same as in Markdown; `without`: a column that is not useful here. */
export const ChartNumbers = ({
  block,
  without,
}: {
  block: Chart;
  without?: string | undefined;
}) => {
  const { columns, rows } = drawingTable(block);
  const shown = columns
    .map((column, i) => ({ ...column, i }))
    .filter((one) => one.label !== without);
  const samplesAt = samplesIn(block);
  const cellOf = (given: string, isNumber: boolean, row: number, column: number) => {
    const text = <SampleLink href={sampleHref(samplesAt(row, column))}>{given}</SampleLink>;
    if (isNumber) return <td>{text}</td>;
    return column === 0 ? <th scope="row">{text}</th> : <td class="text">{text}</td>;
  };
  return (
    <>
      <Head columns={shown.map(({ label, isNumber }) => (isNumber ? { num: label } : label))} />
      <tbody>
        {rows.map((cells, row) => (
          <tr>{shown.map(({ i, isNumber }) => cellOf(cells[i] ?? "", isNumber, row, i))}</tr>
        ))}
      </tbody>
    </>
  );
};
