import { expect, test } from "vitest";
import { type Advice, adviceSection } from "./advice.ts";

const item = (finding: string, tone: Advice["tone"]): Advice => ({
  finding,
  tone,
  cell: "Validity",
  value: 0.9,
  format: "percent",
  interval: null,
  n: 20,
  change: "mode",
  action: "Change it.",
});

test("adviceSection() puts the most serious first, else keeps the order", () => {
  const items = [item("a", "neutral"), item("b", "poor"), item("c", "fair"), item("d", "poor")];
  const [block] = adviceSection(items).blocks;
  expect(block?.kind === "advice" && block.items.map(({ finding }) => finding)).toEqual([
    "b",
    "d",
    "c",
    "a",
  ]);
});

test("adviceSection() has a sentence if there is no advice", () => {
  expect(adviceSection([])).toMatchObject({ id: "recommendations", blocks: [{ kind: "note" }] });
});

test("adviceSection() gives no advice based on fewer than 20 samples, and says so", () => {
  const few = { ...item("few", "poor"), n: 19 };
  const [block] = adviceSection([few, item("a", "fair")]).blocks;
  expect(block?.kind === "advice" && block.items.map(({ finding }) => finding)).toEqual(["a"]);
  expect(adviceSection([few])).toMatchObject({
    blocks: [{ text: expect.stringMatching(/fewer than 20 samples, too few/) }],
  });
});
