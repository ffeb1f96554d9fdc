import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { formatValue } from "../../format/number.ts";
import { boardIsland, cellNumber } from "./board-island.ts";

const row = (rank: number, name: string, f1: string, tie: number, kind: string, date: string) => `
  <tr data-tie="${tie}" data-provenance="${kind}" ${kind === "called" ? "data-simulated" : ""}>
    <td><strong>${rank}</strong><span>1–3</span></td>
    <th><a href="/">${name}</a><small><span class="slug">owner/${name.toLowerCase()}</span></small><span>a mark</span>
      <small class="ids">id <span>${name.toLowerCase()}-7b</span> <b>≠ answered by <span>m-${rank}</span></b></small></th>
    <td>${f1}</td><td><time datetime="${date}">a day</time></td>
  </tr>`;

const heading = (key: string, first: string, label: string) =>
  `<th data-key="${key}" data-first="${first}"><button title="${label} is this.">${label}</button></th>`;

const html = `<div data-board data-waiting>
  <form data-board-tools>
    <input name="q"><select name="ties"><option value=""></option><option value="1"></option></select>
    <button type="reset"></button><p role="status"></p>
  </form>
  <table><thead><tr>
    ${heading("rank", "ascending", "Rank")}${heading("model", "ascending", "Model")}
    ${heading("f1", "descending", "F1")}${heading("date", "descending", "Date")}
  </tr></thead><tbody>
    ${row(1, "Beta", "0.9", 1, "called", "2026-02-01T00:00:00Z")}
    ${row(2, "Gamma", "–", 1, "self-reported", "2026-03-01T00:00:00Z")}
    ${row(3, "Alpha", "0.95", 2, "called", "2026-01-01T00:00:00Z")}
  </tbody></table>
</div>`;

function aBoard(query = "") {
  const { window } = new JSDOM(html, { url: `https://assay.example/board/${query}#top` });
  const { document } = window;
  const board = document.querySelector("[data-board]") as HTMLElement;
  boardIsland(board, window as unknown as Window);
  return {
    board,
    names: () => [...document.querySelectorAll("tbody th a")].map((link) => link.textContent),
    status: () => document.querySelector("[role=status]")?.textContent,
    address: () => window.location.href.replace("https://assay.example/board/", ""),
    sort: (key: string) => document.querySelector<HTMLElement>(`[data-key=${key}] button`)?.click(),
    sorted: () => document.querySelector("[aria-sort]"),
    set: (name: string, value: string) => {
      const field = document.querySelector(`[name=${name}]`) as HTMLInputElement;
      field.value = value;
      field.dispatchEvent(new window.Event("input"));
    },
    reset: () => document.querySelector<HTMLElement>("[type=reset]")?.click(),
  };
}

it("boardIsland() shows its controls and keeps the board's order", () => {
  const { board, names, status, address } = aBoard();
  expect(board.hasAttribute("data-waiting")).toBe(false);
  expect(names()).toEqual(["Beta", "Gamma", "Alpha"]);
  expect([status(), address()]).toEqual(["3 models, by rank", "#top"]);
  expect(board.querySelector("table")?.className).toBe("");
});

it("boardIsland() sorts by a column in both directions, then by rank again", () => {
  const { board, names, sort, sorted, status, address } = aBoard();
  sort("f1");
  expect(names()).toEqual(["Alpha", "Beta", "Gamma"]);
  expect(sorted()?.getAttribute("aria-sort")).toBe("descending");
  expect(status()).toBe("3 models, by F1, highest first");
  expect(address()).toBe("?sort=f1&order=descending#top");
  expect(board.querySelector("table")?.className).toBe("is-rearranged");
  sort("f1");
  expect(names()).toEqual(["Beta", "Alpha", "Gamma"]);
  sort("f1");
  expect([names(), sorted(), address()]).toEqual([["Beta", "Gamma", "Alpha"], null, "#top"]);
});

it.each([
  ["model", ["Alpha", "Beta", "Gamma"]],
  ["date", ["Gamma", "Beta", "Alpha"]],
  ["rank", ["Beta", "Gamma", "Alpha"]],
])("boardIsland() sorts by %s", (key, order) => {
  const { names, sort } = aBoard();
  sort(key);
  expect(names()).toEqual(order);
});

it("boardIsland() searches model ids, but not the words around them", () => {
  const { names, set } = aBoard();
  for (const [q, found] of [
    ["Gamma-7B", ["Gamma"]],
    ["m-3", ["Alpha"]],
    ["answered", []],
  ] as const) {
    set("q", q);
    expect(names()).toEqual(found);
  }
});

it("boardIsland() searches names and slugs, filters, and resets", () => {
  const { names, set, status, reset, address } = aBoard();
  set("q", "OWNER/b");
  expect([names(), status()]).toEqual([["Beta"], "1 of 3 models, by rank"]);
  set("q", "");
  set("ties", "1");
  expect([names(), address()]).toEqual([["Beta", "Gamma"], "?ties=1#top"]);
  reset();
  expect([names(), address()]).toEqual([["Beta", "Gamma", "Alpha"], "#top"]);
});

it("boardIsland() applies the query of the address, except unknown choices", () => {
  const { names, status } = aBoard("?ties=1&sort=model&order=descending&provenance=called");
  expect(names()).toEqual(["Gamma", "Beta"]);
  expect(status()).toBe("2 of 3 models, by Model, highest first");
  expect(aBoard("?ties=9").names()).toHaveLength(3);
});

it("boardIsland() shows a column's definition instead of the browser's tooltip", () => {
  const { board } = aBoard();
  const button = board.querySelector<HTMLElement>("[data-key=f1] button");
  button?.focus();
  const tip = board.querySelector<HTMLElement>("[role=tooltip]");
  expect([button?.title, tip?.textContent, tip?.hidden]).toEqual(["", "F1 is this.", false]);
  expect(button?.getAttribute("aria-describedby")).toBe(tip?.id);
  button?.blur();
  expect(tip?.hidden).toBe(true);
});

it.each([
  ["score", [0, 0.873, 1]],
  ["percent", [0, 0.041, 0.873]],
  ["level", [1, 4.13]],
  ["ms", [0.5, 94.6, 1834, 1_234_567]],
  ["count", [0, 0.00123, 42.5, 12_345]],
  ["usd", [0, 0.0000000012, 0.0012, 12.5, 1234.5]],
] as const)("cellNumber() orders values printed as %s", (format, values) => {
  const read = values.map((value) => cellNumber(formatValue(value, format)));
  expect(read).not.toContain(null);
  expect(read.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(read);
  expect(new Set(read).size).toBe(values.length);
});

it.each([
  [" 12 few samples", 12],
  ["0.873 0.840–0.910", 0.873],
  ["–", null],
  ["", null],
  ["Report", null],
])("cellNumber(%j) is %j", (text, number) => {
  expect(cellNumber(text)).toBe(number);
});
