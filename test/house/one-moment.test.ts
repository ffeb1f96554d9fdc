import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ONE_MOMENT, style } from "../../api/platform/site-pages.ts";
import { root } from "../../cli/local/root.ts";

const sheet = readFileSync(join(root, "site", "src", "styles", "tokens.css"), "utf8");
/** Light and dark, without spaces around signs, as the page's own style is written. */
const schemes = sheet.replaceAll(/\s*([:;,{}])\s*/g, "$1").split("@media");

it("the page that is shown without a site has the site's colours and fonts, light and dark", () => {
  const own = style.split("@media");
  for (const [i, scheme] of own.entries()) {
    const tokens = [...scheme.matchAll(/--[\w-]+:[^;}]+/g)].map(([token]) => token);
    expect(tokens.length).toBeGreaterThan(5);
    for (const token of tokens) expect(schemes[i]).toContain(token);
  }
  expect(own[1]).toContain("(prefers-color-scheme:dark)");
});

it("the page that is shown without a site has all that a reader needs", () => {
  expect(ONE_MOMENT).toContain('<html lang="en">');
  expect(ONE_MOMENT).toContain('<meta name="viewport"');
  expect(ONE_MOMENT).toContain('<meta http-equiv="refresh" content="3">');
  expect(ONE_MOMENT).toMatch(/<body>[\s\S]*<main[\s\S]*<h1>One moment<\/h1>[\s\S]*<\/body>/);
  expect(ONE_MOMENT).not.toMatch(/<(script|link|img)/);
});
