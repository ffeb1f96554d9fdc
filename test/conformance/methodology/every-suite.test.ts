import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { suites } from "../../../shared/suites/registry.ts";
import { methodologyText } from "./methodology-text.ts";

describe.each(suites.map((suite) => [suite.id, suite] as const))("the texts of %s", (id, suite) => {
  const { text } = methodologyText(id);
  const stock = new URL(`../../../shared/suites/${id}/stock.md`, import.meta.url);

  it("say what is asked, what the limits are, and what is not measured", () => {
    const headings = text.match(/^## .*$/gm);
    const wanted = ["## The question", "## Limits", "## What it does not measure"];
    expect(headings).toEqual(expect.arrayContaining(wanted));
    expect(text).not.toMatch(/^# /m);
  });

  it("say that thoughts are removed", () => {
    expect(text).toMatch(/thoughts[^.]* are removed/);
  });

  it("work an example through", () => {
    expect(text).toMatch(/^(## An example|An example:)$/m);
  });

  it("link to headings that there are", () => {
    const anchors = (text.match(/^##+ .*$/gm) ?? []).map((line) =>
      line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"),
    );
    const linked = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
    expect(anchors).toEqual(expect.arrayContaining(linked));
  });

  it("have the heading to which its caution leads", () => {
    const anchors = (text.match(/^##+ .*$/gm) ?? []).map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    if (suite.caution) expect(anchors).toContain(suite.caution.anchor);
  });

  it("say where the stock data are from and under which licence", () => {
    expect(readFileSync(stock, "utf8")).toMatch(/^Licence: /m);
  });
});
