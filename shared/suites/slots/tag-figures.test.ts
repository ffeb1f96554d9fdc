import { expect, it } from "vitest";
import { slotsTagFigures } from "./tag-figures.ts";

const figure = (value: number) => ({ value, interval: null });
const part = (name: string, f1: number, expectedSlots?: number) => ({
  ...{ name, n: 5 },
  figures: {
    f1: figure(f1),
    ...(expectedSlots !== undefined && { expectedSlots: figure(expectedSlots) }),
  },
});

it("slotsTagFigures() has topics, users, sessions and other tags, without topics that a model made up", () => {
  const breakdown = {
    topics: [part("hobby", 0.9, 4), part("made up", 0, 0), part("of an older run", 0.2)],
    users: [part("ada", 0.8)],
    sessions: [part("1", 0.7)],
    tags: [{ ...part("de", 0.6), tag: "language" }],
  };
  const found = slotsTagFigures(breakdown).map(({ tag, name, headline }) => {
    return [tag, name, headline.value];
  });
  expect(found).toEqual([
    ["topic", "hobby", 0.9],
    ["topic", "of an older run", 0.2],
    ["user", "ada", 0.8],
    ["session", "1", 0.7],
    ["language", "de", 0.6],
  ]);
});
