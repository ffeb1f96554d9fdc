import type { ReportSection } from "#shared/contracts/report.ts";
import { Block } from "./blocks/Block.tsx";

/** A part of the report that the suite supplies. */
export const Section = ({ section: { id, title, intro, blocks } }: { section: ReportSection }) => (
  <section aria-labelledby={`report-${id}`}>
    <h2 id={`report-${id}`}>{title}</h2>
    <p class="prose">{intro}</p>
    <div class="blocks">
      {blocks.map((block) => (
        <Block block={block} />
      ))}
    </div>
  </section>
);
