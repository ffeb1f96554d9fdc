import sharp from "sharp";
import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { type Card, cardSvg } from "./card-svg.ts";
import { boardCard, comparisonCard, modelCard, runCard } from "./result-cards.ts";
import { fitText, textPath, textWidth } from "./text-paths.ts";

const anEntry = (i: number, more: Partial<LeaderboardEntry> = {}) =>
  ({
    run: `run_${i}`,
    rank: i,
    model: { name: `Model ${i}`, slug: `acme/m${i}`, simulated: false },
    provenance: { kind: "called", endpointHost: "api.example.com" },
    headline: { value: 1 - i / 10, interval: [0.95 - i / 10, 1.02 - i / 10], n: 60, coverage: 1 },
    finishedAt: "2026-11-20T10:11:12.345Z",
    ...more,
  }) as LeaderboardEntry;

const entries = [1, 2, 3].map((i) => anEntry(i));
const of = {
  board: {
    suite: "extraction",
    headline: "eqs",
    dataset: { name: "stock", version: "v", samples: 72 },
  },
  entries,
  scale: { min: 0.5, max: 1, ticks: [0.5, 0.75, 1] },
};

it("runCard() has the score, its interval, the rank, and the other scores on the axis", () => {
  const card = runCard(of, anEntry(2));
  expect(card).toMatchObject({
    topic: "Structured extraction: stock",
    title: "Model 2",
    marks: [],
  });
  expect(card.rows).toEqual([
    expect.objectContaining({
      label: "EQS",
      rank: "#2 of 3",
      value: "0.800",
      interval: "0.750–0.820",
      others: [0.9, 0.7],
    }),
  ]);
});

it("cards mark simulated models and self-reported answers", () => {
  const model = { ...anEntry(1).model, name: "Sim", simulated: true };
  const entry = anEntry(1, { model, provenance: { kind: "self-reported", endpointHost: null } });
  expect(runCard(of, entry).marks).toEqual(["simulated model", "self-reported"]);
  const some = ["some models simulated", "some self-reported"];
  expect(boardCard({ ...of, entries: [entry, anEntry(2)] }).marks).toEqual(some);
  expect(comparisonCard(of, [entry, anEntry(2)], null).marks).toEqual(some);
  expect(boardCard({ ...of, entries: [entry] }).marks).toEqual([
    "simulated models",
    "self-reported",
  ]);
  expect(boardCard({ ...of, entries: [anEntry(2)] }).marks).toEqual([]);
});

it.each([
  [0.0004, "The difference is significant (paired test, p < 0.001)."],
  [0.012, "The difference is significant (paired test, p = 0.012)."],
  [0.4, "The difference is not significant (paired test, p = 0.400)."],
  [null, "The difference was not tested."],
])("comparisonCard() of two models with p = %j states the result of the test", (p, words) => {
  const card = comparisonCard(of, [anEntry(1), anEntry(2)], p);
  expect([card.title, card.foot]).toEqual(["Model 1 and Model 2", `72 samples. ${words}`]);
});

it("modelCard() has a row for each board, or says that there is none", () => {
  const { model } = anEntry(1);
  expect(modelCard(model, [{ ...of, entry: anEntry(1) }]).rows).toHaveLength(1);
  expect(modelCard(model, []).foot).toBe("On no board yet");
});

it("cardSvg() draws every kind of card at its size, with names of any length and script", async () => {
  const long = anEntry(1, {
    model: { name: "模型 Ω ".repeat(60), slug: "a/b", simulated: true } as never,
  });
  const cards: Card[] = [
    runCard(of, long),
    boardCard({ ...of, entries: [long, ...entries] }),
    modelCard(long.model, []),
    comparisonCard(of, [long, anEntry(2)], 0.5),
  ];
  for (const card of cards) {
    const svg = cardSvg(card);
    expect(svg).not.toMatch(/<text|NaN|undefined/);
    const { width, height } = await sharp(Buffer.from(svg)).png().metadata();
    expect([width, height]).toEqual([1200, 630]);
  }
});

it("fitText() shortens a text that is too wide, and keeps a short one", () => {
  const style = { size: 30 };
  const cut = fitText("many words in a row", 120, style);
  expect(cut).toMatch(/^many.*…$/);
  expect(textWidth(cut, style)).toBeLessThanOrEqual(120);
  expect(fitText("few", 120, style)).toBe("few");
});

it("textPath() draws Latin, Greek and Cyrillic, and a question mark for other scripts", () => {
  const style = { size: 30 };
  for (const text of ["Aé", "Ω", "ж"]) expect(textPath(text, 0, 0, style)).toMatch(/^M/);
  expect(textPath("模", 0, 0, style)).toBe(textPath("?", 0, 0, style));
});
