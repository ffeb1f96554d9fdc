import type { Tone } from "#shared/contracts/report.ts";

/** What each colour stands for. */
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
          <span class={`swatch tone-${item.tone}`} />
          {item.label}
        </li>
      ))}
    </ul>
  );
