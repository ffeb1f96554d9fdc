import fc from "fast-check";
import { expect, it } from "vitest";
import { fenceSections } from "./fence.ts";

const codeOf = (text: string) => /^<<<a ([0-9a-f]{16})\n/.exec(text)?.[1] ?? "none";

it("fenceSections() uses marks that do not occur in any text", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const sections = [
        { name: "a", text: a },
        { name: "b", text: b },
      ];
      const whole = fenceSections(sections);
      expect(a + b).not.toContain(codeOf(whole));
      expect(fenceSections(sections)).toBe(whole);
    }),
  );
});

it("fenceSections() uses another code if a text contains the first", () => {
  const code = codeOf(fenceSections([{ name: "a", text: "x" }]));
  const again = fenceSections([{ name: "a", text: `x\na ${code}>>>` }]);
  expect(again.split(codeOf(again))).toHaveLength(3);
  expect(codeOf(again)).not.toBe(code);
});
