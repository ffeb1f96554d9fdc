import { drawingTable } from "#shared/measures/report/markdown/chart-table.ts";
import { Head } from "./Head.tsx";

type Chart = Parameters<typeof drawingTable>[0];

/** The numbers of a chart, the same as in Markdown; `without` is a column that is useless here. */
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
  const cellOf = (text: string, isNumber: boolean, isFirst: boolean) => {
    if (isNumber) return <td>{text}</td>;
    return isFirst ? <th scope="row">{text}</th> : <td class="text">{text}</td>;
  };
  return (
    <>
      <Head columns={shown.map(({ label, isNumber }) => (isNumber ? { num: label } : label))} />
      <tbody>
        {rows.map((cells) => (
          <tr>{shown.map(({ i, isNumber }) => cellOf(cells[i] ?? "", isNumber, i === 0))}</tr>
        ))}
      </tbody>
    </>
  );
};
