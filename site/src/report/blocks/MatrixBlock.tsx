import type { MatrixBlock as Matrix } from "#shared/contracts/report.ts";
import { matrixSvg } from "../../charts/matrix.ts";
import { ChartFigure, NoChart } from "./ChartFigure.tsx";
import { ChartNumbers } from "./ChartNumbers.tsx";

/** Values by two names. */
export const MatrixBlock = ({ block }: { block: Matrix }) => {
  const { title, cells } = block;
  if (cells.flat().every((value) => value === null)) {
    return <NoChart title={title} text="Nothing was measured." />;
  }
  return (
    <ChartFigure title={title} svg={matrixSvg(block)}>
      <ChartNumbers block={block} />
    </ChartFigure>
  );
};
