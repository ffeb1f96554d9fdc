import { expect, it } from "vitest";
import { openSite } from "./support/open-site.ts";
import { paperWidth } from "./support/page-look.ts";

/** Smallest font size of printed text, px: 5 points. */
const leastSize = 6.6;

const pages = [
  "/",
  "/leaderboards/extraction/stock/",
  "/leaderboards/memory/stock/",
  "/runs/run-large/",
  "/runs/run-half-judged/",
  "/models/acme/extract-large/",
  "/methodology/extraction/",
  "/datasets/",
  "/parity/acme/hosts/",
  "/tags/extraction/domain/stock/",
  "/reliability/",
];

const site = openSite();

it("printed pages fit the paper, have readable type and show folded tables", async () => {
  const page = await site.browser.newPage();
  await page.setViewportSize({ width: paperWidth, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const flaws: string[] = [];
  for (const path of pages) {
    await page.goto(`${site.origin}${path}`);
    const { width, smallest, folded, openable } = await page.evaluate(() => {
      const cells = [...document.querySelectorAll("td, th, p")];
      const tables = [...document.querySelectorAll("details:not([open]) table")];
      return {
        width: document.documentElement.scrollWidth,
        smallest: Math.min(
          ...cells.map((cell) => Number.parseFloat(getComputedStyle(cell).fontSize)),
        ),
        folded: tables.filter((table) => table.getBoundingClientRect().height === 0).length,
        openable: tables.length,
      };
    });
    if (width > paperWidth) flaws.push(`${path} is ${width} px wide`);
    if (smallest < leastSize) flaws.push(`${path} has type of ${smallest} px`);
    if (folded > 0) flaws.push(`${path} hides ${folded} of ${openable} tables`);
  }
  await page.close();
  expect(flaws).toEqual([]);
});

it("numbers in tables are right-aligned", async () => {
  const page = await site.browser.newPage();
  await page.goto(`${site.origin}/runs/run-large/`);
  const left = await page.evaluate(() => {
    // Options are settings of all types, not results.
    const isSetting = (cell: Element) =>
      cell.closest('[aria-label="Options of this run"]') !== null;
    const isNumber = /^[−+<$]?\d[\d,.]*(?:[–%]|\s?ms$|$| to )/;
    return [...document.querySelectorAll("td")]
      .filter((cell) => isNumber.test(cell.textContent?.trim() ?? ""))
      .filter(
        (cell) =>
          !cell.matches(".value, .text") &&
          !isSetting(cell) &&
          getComputedStyle(cell).textAlign !== "right",
      )
      .map(
        (cell) =>
          `${cell.closest("section, figure")?.getAttribute("aria-label")}: ${cell.textContent}`,
      );
  });
  await page.close();
  expect(left).toEqual([]);
});
