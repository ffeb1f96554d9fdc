import { raw } from "hono/html";
import type { StackBlock as Stack } from "#shared/contracts/report.ts";
import { stackSvg, stackTotal } from "../../charts/stack.ts";
import { formatCount, formatShare } from "../../format/number.ts";
import { Head } from "./Head.tsx";

/** Parts of a whole as a bar, and below it what each part is. */
export const StackBlock = ({ block }: { block: Stack }) => {
  const total = stackTotal(block);
  return (
    <figure class="block">
      <h3>{block.title}</h3>
      <p class="small soft">
        {formatCount(total)} {block.unit}
      </p>
      {total > 0 && raw(stackSvg(block))}
      <table class="small">
        <Head columns={["Part", { num: "Count" }, { num: "Share" }]} />
        <tbody>
          {block.parts.map(({ label, count, tone, definition }) => (
            <tr>
              <th scope="row">
                <span class={`swatch tone-${tone}`} />
                {label}
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
