import type { MatrixBlock as Matrix } from "#shared/contracts/report.ts";
import { matrixSvg } from "../../charts/matrix.ts";
import { formatValue } from "../../format/number.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { Head } from "./Head.tsx";

/** Values by two names. */
export const MatrixBlock = ({ block }: { block: Matrix }) => {
  const { title, rows, columns, cells, format } = block;
  if (cells.flat().every((value) => value === null)) {
    return <NoChart title={title} text="Nothing was measured." />;
  }
  return (
    <ChartFigure title={title} svg={matrixSvg(block)}>
      <Head columns={[rows.label, ...columns.names.map((num) => ({ num }))]} />
      <tbody>
        {rows.names.map((name, i) => (
          <tr>
            <th scope="row">{name}</th>
            {columns.names.map((_, j) => (
              <td>{formatValue(cells[i]?.[j], format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ChartFigure>
  );
};
