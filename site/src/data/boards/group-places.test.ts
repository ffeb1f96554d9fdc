import { expect, it } from "vitest";
import { groupPlaces } from "./group-places.ts";

const anEntry = (run: string, rank: number | null, tieGroup: number | null) => ({
  run,
  rank,
  tieGroup,
  model: { name: `Model ${run}`, slug: `acme/${run}`, simulated: false },
});

it("groupPlaces() names the first of a tie group for the others, but not for an entry alone or with the same rank", () => {
  const places = groupPlaces([
    anEntry("a", 1, 1),
    anEntry("b", 1, 1),
    anEntry("c", 3, 1),
    anEntry("d", 4, 2),
    anEntry("e", 5, 3),
    anEntry("f", 6, 3),
    anEntry("g", null, null),
  ] as never);
  expect([...places].map(([run, { tiedWith }]) => [run, tiedWith?.rank ?? null])).toEqual([
    ["a", null],
    ["b", null],
    ["c", 1],
    ["d", null],
    ["e", null],
    ["f", 5],
    ["g", null],
  ]);
  expect(places.get("f")?.tiedWith?.name).toBe("Model e");
  const starting = [...places].flatMap(([run, { startsGroup }]) => (startsGroup ? [run] : []));
  expect(starting).toEqual(["d", "e"]);
});

it("groupPlaces() of no entries is empty", () => {
  expect(groupPlaces([]).size).toBe(0);
});
