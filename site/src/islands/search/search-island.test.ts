import { JSDOM } from "jsdom";
import MiniSearch from "minisearch";
import { expect, it } from "vitest";
import { searchOptions } from "../../data/search-index.ts";
import { searchIsland } from "./search-island.ts";

const entries = [
  { href: "/guides/gates/", page: "Gates", title: "Gates", text: "Fail a build on a lower score." },
  {
    href: "/guides/gates/#margin",
    page: "Gates",
    title: "A margin",
    text: "Non-inferior by 0.02.",
  },
  { href: "/models/acme/x/", page: "Models", title: "<b>Evil</b>", text: "acme/x" },
];

const anIndex = () => {
  const index = new MiniSearch(searchOptions);
  index.addAll(entries.map((entry, id) => ({ ...entry, id, start: entry.text })));
  return MiniSearch.loadJSON(JSON.stringify(index), searchOptions);
};

async function opened(query: string, read = async () => anIndex()) {
  const html = `<form><input name="q"><p role="status"></p></form><ol></ol>`;
  const { window } = new JSDOM(html, { url: `https://assay.example/search/${query}` });
  const { document } = window;
  const [form, list] = [document.querySelector("form")!, document.querySelector("ol")!];
  searchIsland(form, list, window as unknown as Window, read);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  await settle();
  return {
    hrefs: () => [...list.querySelectorAll("a")].map((link) => link.getAttribute("href")),
    list,
    status: () => document.querySelector("[role=status]")?.textContent,
    address: () => window.location.search,
    type: async (words: string) => {
      const field = document.querySelector("input")!;
      field.value = words;
      field.dispatchEvent(new window.Event("input"));
      await settle();
    },
  };
}

it("searchIsland() matches prefixes and misspellings, ranks titles first, and keeps the query in the address", async () => {
  const page = await opened("");
  expect([page.hrefs(), page.status()]).toEqual([[], ""]);
  await page.type("margn");
  expect(page.hrefs()).toEqual(["/guides/gates/#margin"]);
  expect([page.status(), page.address()]).toEqual(["1 result", "?q=margn"]);
  await page.type("gat");
  expect(page.hrefs()[0]).toBe("/guides/gates/");
  await page.type("");
  expect([page.hrefs(), page.address()]).toEqual([[], ""]);
});

it("searchIsland() starts with the query of the address, and escapes names", async () => {
  const page = await opened("?q=evil");
  expect(page.list.textContent).toContain("<b>Evil</b>");
  expect(page.list.querySelector("b")).toBeNull();
});

it("searchIsland() reports that nothing was found, or that the index can't be read", async () => {
  expect((await opened("?q=zzzz")).status()).toContain("Nothing found");
  const failing = await opened("?q=gates", () => Promise.reject(new Error("503")));
  expect(failing.status()).toContain("can't be read now");
});
