import { html } from "hono/html";
import { printable } from "../terminal/printable.ts";
import type { PartedText, PartTable, TextPart } from "./comparison-parts.ts";

const style = `:root{color-scheme:light dark;--line:#8886;--soft:color-mix(in srgb,currentColor 75%,transparent)}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}p{max-width:60rem;color:var(--soft)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}
thead th{font-weight:600}tbody th{font-weight:400}.number{text-align:right}
@media print{.scroll{overflow:visible}}`;

/**
 * A self-contained page: no script, and nothing is loaded. Tables are named by their headings, and can be scrolled
 * by keyboard if they are too wide.
 */
export function htmlDocument({ title, about, parts }: PartedText): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${about.map((line) => `<p>${escaped(line)}</p>\n`).join("")}${parts.map(section).join("")}</main>
</body>
</html>
`;
}

const escaped = (text: string): string => String(html`${printable(text)}`);

function section({ title, table, notes }: TextPart, i: number): string {
  const shown = notes.map((note) => `<p>${escaped(note)}</p>\n`).join("");
  return `<section>
<h2 id="part-${i}">${escaped(title)}</h2>
<div class="scroll" role="region" aria-labelledby="part-${i}" tabindex="0">
${tableOf(table, `part-${i}`)}
</div>
${shown}</section>
`;
}

function tableOf({ head, rows, isText }: PartTable, label: string): string {
  const kind = (column: number) => (isText(column) ? "" : ' class="number"');
  const cell = (tag: string, text: string, column: number, more = "") =>
    `<${tag}${more}${kind(column)}>${escaped(text.trim())}</${tag}>`;
  const heads = head.map((text, k) => cell("th", text, k, ' scope="col"')).join("");
  const body = rows.map((cells) => {
    const shown = cells.map((text, k) =>
      k === 0 ? cell("th", text, k, ' scope="row"') : cell("td", text, k),
    );
    return `<tr>${shown.join("")}</tr>`;
  });
  return `<table aria-labelledby="${label}">
<thead><tr>${heads}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>`;
}
