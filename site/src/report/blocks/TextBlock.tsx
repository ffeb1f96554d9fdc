import type { TextBlock as Text } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { formatCount } from "../../format/number.ts";
import { Legend } from "./ChartFigure.tsx";

type Mark = Text["marks"][number];

/** The text in pieces, plain and marked. */
function piecesOf({ text, marks }: Text): { text: string; mark: Mark | null }[] {
  const pieces: { text: string; mark: Mark | null }[] = [];
  let at = 0;
  for (const mark of marks) {
    pieces.push({ text: text.slice(at, mark.from), mark: null });
    pieces.push({ text: text.slice(mark.from, mark.to), mark });
    at = mark.to;
  }
  pieces.push({ text: text.slice(at), mark: null });
  return pieces.filter((piece) => piece.text !== "");
}

function legendOf(marks: readonly Mark[]) {
  const labels = new Map(marks.map(({ label, tone }) => [label, tone]));
  return [...labels].map(([label, tone]) => ({ label, tone }));
}

const classOf = ({ tone, isLoose }: Mark): string => `${toneClass(tone)}${isLoose ? " loose" : ""}`;

/** Characters per line on a phone: longer text may need scrolling, which must also work by keyboard. */
const charactersOfLine = 36;
const mostLines = 14;

function focusOf({ title, text }: Text) {
  const lines = text.split("\n").length + text.length / charactersOfLine;
  return lines > mostLines ? { role: "group", "aria-label": title, tabindex: 0 } : {};
}

const Quoted = ({ block }: { block: Text }) => (
  <>
    <p class={block.isCode ? "quoted code" : "quoted"} {...focusOf(block)}>
      {piecesOf(block).map(({ text, mark }) =>
        mark === null ? text : <mark class={classOf(mark)}>{text}</mark>,
      )}
      {block.left > 0 && <span class="soft"> … {formatCount(block.left)} more characters</span>}
    </p>
    <Legend label="Marked passages" items={legendOf(block.marks)} />
    {block.marks.some(({ isLoose }) => isLoose) && (
      <p class="small soft">
        A dashed line: the text has it in another form (letter case, spacing, quotation marks, digit
        separators or date format).
      </p>
    )}
  </>
);

/** A verbatim text with marked passages. */
export const TextBlock = ({ block }: { block: Text }) => (
  <section class="block">
    <h3>{block.title}</h3>
    {block.folded ? (
      <details>
        <summary>Show</summary>
        <Quoted block={block} />
      </details>
    ) : (
      <Quoted block={block} />
    )}
  </section>
);
