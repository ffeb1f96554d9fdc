import { raw } from "hono/html";
import type { StackBlock as Stack } from "#shared/contracts/report.ts";
import { toneClass } from "../../charts/parts/tone.ts";
import { stackSvg, stackTotal } from "../../charts/stack.ts";
import { formatCount, formatShare } from "../../format/number.ts";
import { Head } from "../ScrollTable.tsx";
import { SampleLink } from "../SiteLink.tsx";
import { sampleHref } from "../samples/sample-links.ts";

/** From this share on, one part almost fills the bar. */
const almostAll = 0.98;

/** A sentence about the few items outside of the largest part; null if a bar is useful. */
export function restText(block: Stack): string | null {
  const { unit, parts } = block;
  const total = stackTotal(block);
  if (total === 0) return null;
  const main = parts.find(({ count }) => count / total >= almostAll);
  if (main === undefined) return null;
  const rest = total - main.count;
  return rest === 0
    ? `Nothing to show: all ${formatCount(total)} ${unit} are “${main.label}”.`
    : `Nothing to show: ${formatCount(rest)} of ${formatCount(total)} ${unit} ${rest === 1 ? "is" : "are"} not “${main.label}”.`;
}

/** Parts of a whole as a bar, with definitions below it. */
export const StackBlock = ({ block }: { block: Stack }) => {
  const total = stackTotal(block);
  const rest = restText(block);
  return (
    <figure class="block">
      <h3>{block.title}</h3>
      <p class="small soft">
        {formatCount(total)} {block.unit}
      </p>
      {rest !== null ? <p class="soft">{rest}</p> : total > 0 && raw(stackSvg(block))}
      <table class="small">
        <Head columns={["Part", { num: "Count" }, { num: "Share" }]} />
        <tbody>
          {block.parts.map(({ label, count, tone, definition, samples }) => (
            <tr>
              <th scope="row">
                <span class={`swatch ${toneClass(tone)}`} />
                <SampleLink href={count > 0 ? sampleHref(samples) : undefined}>{label}</SampleLink>
                <span class="soft definition">{definition}</span>
              </th>
              <td class="num">{formatCount(count)}</td>
              <td class="num">{total > 0 ? formatShare(count / total) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};
