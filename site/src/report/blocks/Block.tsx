import type { FC } from "hono/jsx";
import type { NoteBlock as Note, ReportBlock } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { AdviceBlock } from "./AdviceBlock.tsx";
import { ChartBlock } from "./ChartBlock.tsx";
import { FieldsBlock } from "./FieldsBlock.tsx";
import { GaugeBlock } from "./GaugeBlock.tsx";
import { StackBlock } from "./StackBlock.tsx";
import { TableBlock } from "./TableBlock.tsx";
import { TextBlock } from "./TextBlock.tsx";

type Drawn = { [Kind in ReportBlock["kind"]]: FC<{ block: Extract<ReportBlock, { kind: Kind }> }> };

/** A longer text has a line of its own. */
const longNote = 200;

/** A sentence or two. */
const NoteBlock = ({ block: { title, text, tone } }: { block: Note }) => (
  <section class={`block notice ${text.length > longNote ? "block-wide " : ""}${toneClass(tone)}`}>
    <h3>{title}</h3>
    <p>{text}</p>
  </section>
);

const byKind: Drawn = {
  gauge: GaugeBlock,
  stack: StackBlock,
  bars: ChartBlock,
  line: ChartBlock,
  table: TableBlock,
  note: NoteBlock,
  radar: ChartBlock,
  scatter: ChartBlock,
  histogram: ChartBlock,
  matrix: ChartBlock,
  boxes: ChartBlock,
  tree: ChartBlock,
  series: ChartBlock,
  text: TextBlock,
  fields: FieldsBlock,
  advice: AdviceBlock,
};

/** A block of a report, drawn by its kind. */
export const Block = ({ block }: { block: ReportBlock }) => {
  const Drawing = byKind[block.kind] as FC<{ block: ReportBlock }>;
  return <Drawing block={block} />;
};

/** Blocks side by side where there is room, and below them the secondary ones by their titles. */
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
