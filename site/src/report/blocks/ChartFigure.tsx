import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Tone } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { ScrollTable } from "../ScrollTable.tsx";

interface Props {
  title: string;
  /** A sentence instead of a nearly empty drawing: `{ text }`. */
  svg: string | { text: string };
  /** Content between title and chart. */
  above?: Child;
  /** Content below the chart, such as a legend. */
  below?: Child;
  isWide?: boolean;
  /** The rows of the table behind the chart: head and body. */
  children?: Child;
}

/** A chart under its title, with the numbers behind it in a table. */
export const ChartFigure = ({ title, svg, above, below, isWide = false, children }: Props) => (
  <figure class={isWide ? "block block-wide" : "block"}>
    <h3>{title}</h3>
    {above}
    {typeof svg === "string" ? raw(svg) : <p class="soft">{svg.text}</p>}
    {below}
    {children !== undefined && (
      <details class="small">
        <summary>Numbers of this chart</summary>
        <ScrollTable label={`${title}, numbers`} figures>
          {children}
        </ScrollTable>
      </details>
    )}
  </figure>
);

/** The meaning of each colour in a chart. */
export const Legend = ({
  label,
  items,
}: {
  label: string;
  items: readonly { tone: Tone | "accent"; label: string }[];
}) =>
  items.length === 0 ? null : (
    <ul class="legend legend-row" aria-label={label}>
      {items.map((item) => (
        <li>
          <span class={`swatch ${toneClass(item.tone)}`} />
          {item.label}
        </li>
      ))}
    </ul>
  );
