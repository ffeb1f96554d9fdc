import type { Tone } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";

/** The meaning of each colour. */
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
