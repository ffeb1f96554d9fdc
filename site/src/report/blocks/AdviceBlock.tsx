import type { AdviceBlock as Advice } from "#shared/contracts/report.ts";
import { changeWords } from "#shared/measures/report/markdown/markdown-text.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { formatCount, formatInterval, formatValue } from "../../format/number.ts";

/** What to do next, with the figure behind each piece of advice. */
export const AdviceBlock = ({ block: { title, items } }: { block: Advice }) => (
  <section class="block block-wide">
    <h3>{title}</h3>
    <ol class="advice">
      {items.map(({ tone, finding, cell, value, format, interval, n, change, action }) => (
        <li class={`notice ${toneClass(tone)}`}>
          <p>
            <strong>{finding}</strong>
          </p>
          <p>
            <span class="mark">{changeWords[change]}</span> {action}
          </p>
          <p class="small soft">
            Based on: {cell} {formatValue(value, format)}
            {interval !== null && `, 95% interval ${formatInterval(interval, format)}`}, n ={" "}
            {formatCount(n)}.
          </p>
        </li>
      ))}
    </ol>
  </section>
);
