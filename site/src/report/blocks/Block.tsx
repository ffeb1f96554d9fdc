import type { FC } from "hono/jsx";
import type { ReportBlock } from "#shared/contracts/report.ts";
import { AdviceBlock } from "./AdviceBlock.tsx";
import { BarsBlock } from "./BarsBlock.tsx";
import { BoxesBlock } from "./BoxesBlock.tsx";
import { FieldsBlock } from "./FieldsBlock.tsx";
import { GaugeBlock } from "./GaugeBlock.tsx";
import { HistogramBlock } from "./HistogramBlock.tsx";
import { LineBlock } from "./LineBlock.tsx";
import { MatrixBlock } from "./MatrixBlock.tsx";
import { NoteBlock } from "./NoteBlock.tsx";
import { RadarBlock } from "./RadarBlock.tsx";
import { ScatterBlock } from "./ScatterBlock.tsx";
import { SeriesBlock } from "./SeriesBlock.tsx";
import { StackBlock } from "./StackBlock.tsx";
import { TableBlock } from "./TableBlock.tsx";
import { TextBlock } from "./TextBlock.tsx";
import { TreeBlock } from "./TreeBlock.tsx";

type Drawn = { [Kind in ReportBlock["kind"]]: FC<{ block: Extract<ReportBlock, { kind: Kind }> }> };

const byKind: Drawn = {
  gauge: GaugeBlock,
  stack: StackBlock,
  bars: BarsBlock,
  line: LineBlock,
  table: TableBlock,
  note: NoteBlock,
  radar: RadarBlock,
  scatter: ScatterBlock,
  histogram: HistogramBlock,
  matrix: MatrixBlock,
  boxes: BoxesBlock,
  tree: TreeBlock,
  series: SeriesBlock,
  text: TextBlock,
  fields: FieldsBlock,
  advice: AdviceBlock,
};

/** A block of a report, drawn by its kind. */
export const Block = ({ block }: { block: ReportBlock }) => {
  const Drawing = byKind[block.kind] as FC<{ block: ReportBlock }>;
  return <Drawing block={block} />;
};
