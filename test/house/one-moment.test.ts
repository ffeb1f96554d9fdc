import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ONE_MOMENT, style } from "../../api/platform/site-pages.ts";
import { root } from "../../cli/local/root.ts";

const sheet = readFileSync(join(root, "site", "src", "styles", "tokens.css"), "utf8");
/** Without spaces around punctuation, like the page's own style. */
const tokens = sheet.replaceAll(/\s*([:;,{}])\s*/g, "$1");

it("ONE_MOMENT has the site's colours and fonts, light and dark", () => {
  const own = [...style.matchAll(/--[\w-]+:[^;}]+/g)].map(([token]) => token);
  expect(own.filter((token) => token.includes(":light-dark(")).length).toBeGreaterThan(5);
  for (const token of own) expect(tokens).toContain(token);
});

it("ONE_MOMENT is a complete page without scripts or external files", () => {
  expect(ONE_MOMENT).toContain('<html lang="en">');
  expect(ONE_MOMENT).toContain('<meta name="viewport"');
  expect(ONE_MOMENT).toContain('<meta http-equiv="refresh" content="3">');
  expect(ONE_MOMENT).toMatch(/<body>[\s\S]*<main[\s\S]*<h1>One moment<\/h1>[\s\S]*<\/body>/);
  expect(ONE_MOMENT).not.toMatch(/<(script|link|img)/);
});
