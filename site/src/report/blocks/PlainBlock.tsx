import type { FC } from "hono/jsx";
import type { NoteBlock as Note, ReportBlock } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { CodeText } from "../Code.tsx";
import { FieldsBlock } from "./FieldsBlock.tsx";
import { TableBlock } from "./TableBlock.tsx";
import { TextBlock } from "./TextBlock.tsx";

/** A note with more characters has its own line. */
const longNote = 200;

/** A sentence or two. */
const NoteBlock = ({ block: { title, text, tone } }: { block: Note }) => (
  <section class={`block notice ${text.length > longNote ? "block-wide " : ""}${toneClass(tone)}`}>
    <h3>{title}</h3>
    <p>
      <CodeText text={text} />
    </p>
  </section>
);

/** Kinds of blocks that need no chart library. */
export const plainKinds = {
  table: TableBlock,
  note: NoteBlock,
  text: TextBlock,
  fields: FieldsBlock,
};

/** A block of a sample. Samples have no charts, whose library would be most of a page's script. */
export const PlainBlock = ({ block }: { block: ReportBlock }) => {
  const Drawing = (plainKinds as Record<string, FC<{ block: ReportBlock }>>)[block.kind];
  return Drawing === undefined ? null : <Drawing block={block} />;
};
