import type { NoteBlock as Note } from "#shared/contracts/report.ts";

/** A sentence or two. */
export const NoteBlock = ({ block: { title, text, tone } }: { block: Note }) => (
  <section class={`block notice tone-${tone}`}>
    <h3>{title}</h3>
    <p>{text}</p>
  </section>
);
