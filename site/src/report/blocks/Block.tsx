import type { FC } from "hono/jsx";
import type { ReportBlock } from "#shared/contracts/report.ts";
import { AdviceBlock } from "./AdviceBlock.tsx";
import { ChartBlock } from "./ChartBlock.tsx";
import { GaugeBlock } from "./GaugeBlock.tsx";
import { plainKinds } from "./PlainBlock.tsx";
import { StackBlock } from "./StackBlock.tsx";

type Drawn = { [Kind in ReportBlock["kind"]]: FC<{ block: Extract<ReportBlock, { kind: Kind }> }> };

const byKind: Drawn = {
  ...plainKinds,
  gauge: GaugeBlock,
  stack: StackBlock,
  bars: ChartBlock,
  line: ChartBlock,
  radar: ChartBlock,
  scatter: ChartBlock,
  histogram: ChartBlock,
  matrix: ChartBlock,
  boxes: ChartBlock,
  tree: ChartBlock,
  series: ChartBlock,
  advice: AdviceBlock,
};

const Block = ({ block }: { block: ReportBlock }) => {
  const Drawing = byKind[block.kind] as FC<{ block: ReportBlock }>;
  return <Drawing block={block} />;
};

/** Blocks next to each other if there is room, and below them the secondary blocks, folded under their titles. */
export const Blocks = ({ blocks }: { blocks: readonly ReportBlock[] }) => {
  const folded = blocks
    .filter((block) => block.folded)
    .map(({ folded: _, ...block }) => block as ReportBlock);
  const open = blocks.filter((block) => !block.folded);
  return (
    <>
      {open.length > 0 && (
        <div class="blocks">
          {open.map((block) => (
            <Block block={block} />
          ))}
        </div>
      )}
      {folded.map((block) => (
        <details class="folded-block">
          <summary>{block.title}</summary>
          <Block block={block} />
        </details>
      ))}
    </>
  );
};
