import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { suites } from "../../../shared/suites/registry.ts";
import { methodologyText } from "./methodology-text.ts";

describe.each(suites.map((suite) => [suite.id, suite] as const))(
  "methodology.md of %s",
  (id, suite) => {
    const { text } = methodologyText(id);
    const stock = new URL(`../../../shared/suites/${id}/stock.md`, import.meta.url);

    it("has the sections question, limits and what it does not measure", () => {
      const headings = text.match(/^## .*$/gm);
      const wanted = ["## The question", "## Limits", "## What it does not measure"];
      expect(headings).toEqual(expect.arrayContaining(wanted));
      expect(text).not.toMatch(/^# /m);
    });

    it("states that thoughts are removed", () => {
      expect(text).toMatch(/thoughts[^.]* are removed/);
    });

    it("has a worked example", () => {
      expect(text).toMatch(/^(## An example|An example:)$/m);
    });

    it("links only to existing headings", () => {
      const anchors = (text.match(/^##+ .*$/gm) ?? []).map((line) =>
        line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"),
      );
      const linked = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
      expect(anchors).toEqual(expect.arrayContaining(linked));
    });

    it("has the heading that the suite's caution links to", () => {
      const anchors = (text.match(/^##+ .*$/gm) ?? []).map((line) =>
        line
          .replace(/^#+ /, "")
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
      if (suite.caution) expect(anchors).toContain(suite.caution.anchor);
    });

    it("is accompanied by stock.md, which states the licence of the stock data", () => {
      expect(readFileSync(stock, "utf8")).toMatch(/^Licence: /m);
    });
  },
);
