import { expect, it } from "vitest";
import { noState } from "./board-state.ts";
import { type BoardRow, sortAndFilterRows } from "./sort-and-filter-rows.ts";

const aRow = (name: string, f1: number | null, more: Partial<BoardRow> = {}): BoardRow => ({
  name,
  provenance: "called",
  simulated: false,
  tie: "2",
  values: { f1, model: name },
  ...more,
});

const rows = [
  aRow("Écoute 10 acme/ecoute", 0.9, { tie: "1" }),
  aRow("Écoute 9 acme/ecoute-9", 0.7, { simulated: true }),
  aRow("Parser lab/parser", null, { provenance: "self-reported" }),
  aRow("Zeta lab/zeta", 0.9),
];

const names = (state: Partial<typeof noState>) =>
  sortAndFilterRows(rows, { ...noState, ...state }).map(({ name }) => name.split(" ").at(-1));

it.each([
  [{}, ["acme/ecoute", "acme/ecoute-9", "lab/parser", "lab/zeta"]],
  [{ q: " ECOUTE" }, ["acme/ecoute", "acme/ecoute-9"]],
  [{ q: "écoute 9" }, ["acme/ecoute-9"]],
  [{ q: "nobody" }, []],
  [{ provenance: "self-reported" }, ["lab/parser"]],
  [{ models: "simulated" }, ["acme/ecoute-9"]],
  [{ models: "real", q: "lab" }, ["lab/parser", "lab/zeta"]],
  [{ ties: "1" }, ["acme/ecoute"]],
])("sortAndFilterRows() filters by %j", (state, shown) => {
  expect(names(state)).toEqual(shown);
});

it("sortAndFilterRows() sorts both ways, stably, with rows without a value last", () => {
  expect(names({ sort: "f1", order: "descending" })).toEqual([
    "acme/ecoute",
    "lab/zeta",
    "acme/ecoute-9",
    "lab/parser",
  ]);
  expect(names({ sort: "f1", order: "ascending" })).toEqual([
    "acme/ecoute-9",
    "acme/ecoute",
    "lab/zeta",
    "lab/parser",
  ]);
});

it("sortAndFilterRows() sorts numbers in names by value", () => {
  expect(names({ sort: "model", order: "ascending" }).slice(0, 2)).toEqual([
    "acme/ecoute-9",
    "acme/ecoute",
  ]);
});
