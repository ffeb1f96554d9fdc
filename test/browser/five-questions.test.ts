import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import type { Leaderboard } from "../../shared/contracts/boards/leaderboard.ts";
import { suites } from "../../shared/suites/registry.ts";
import { openSite, shownText } from "./support/open-site.ts";
import { everySuiteSite } from "./support/shared-site.ts";

const mostClicks = 2;
const mostScrolledPx = 3_000;
/** Widths and heights of the windows, px. */
const windows = [
  [1280, 900],
  [390, 844],
] as const;

const site = openSite(everySuiteSite);
/** By width, and reused: to open a page takes as long as to answer a question. */
const pages = new Map<number, Promise<Page>>();
/** The maximum of all boards, by question and window. */
const measured: Record<string, Record<string, number>> = {};

afterAll(() => console.table(measured));

function keep(question: string, where: string, { clicks, scrolledPx }: Reader): void {
  const { [`clicks ${where}`]: clicked = 0, [`px ${where}`]: scrolled = 0 } =
    measured[question] ?? {};
  measured[question] = {
    ...measured[question],
    [`clicks ${where}`]: Math.max(clicked, clicks),
    [`px ${where}`]: Math.max(scrolled, scrolledPx),
  };
}

/** A reader who sees only the window, scrolls down to read on, and counts clicks and pixels. */
interface Reader {
  page: Page;
  clicks: number;
  scrolledPx: number;
}

/** Scrolls until the first visible match is completely in the window. */
async function scrollTo(reader: Reader, part: Locator): Promise<Locator> {
  const shown = part.filter({ visible: true }).first();
  const box = await shown.boundingBox();
  if (box === null) throw new Error("no matching element is visible");
  const { width, height } = reader.page.viewportSize() ?? { width: 0, height: 0 };
  expect(Math.floor(box.x + box.width), "cut off at the right").toBeLessThanOrEqual(width);
  const px = Math.max(0, Math.ceil(box.y + box.height - height));
  await reader.page.mouse.wheel(0, px);
  reader.scrolledPx += px;
  return shown;
}

async function click(reader: Reader, link: Locator): Promise<void> {
  await (await scrollTo(reader, link)).click();
  await reader.page.waitForLoadState();
  reader.clicks += 1;
}

const textOf = async (reader: Reader, part: Locator): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is no text to a reader
  (await (await scrollTo(reader, part)).innerText()).replace(/\s+/g, " ");

const firstRow = (page: Page) => page.locator("[data-board] tbody tr").first();

const openReport = (reader: Reader) =>
  click(reader, firstRow(reader.page).getByRole("link", { name: "Report" }));

type Answer = (reader: Reader, board: Leaderboard) => Promise<void>;

const questions: Readonly<Record<string, Answer>> = {
  "which model": async (reader, { entries: [first] }) => {
    expect(await textOf(reader, firstRow(reader.page).locator("th > a"))).toBe(first?.model.name);
  },
  "is the lead real": async (reader) => {
    const tested = reader.page.locator(
      ".verdict, [data-board] tbody i[title^='not significantly']",
    );
    expect(await textOf(reader, tested)).toMatch(/ leads?\.|≈ with 1/);
  },
  "where does it fail": async (reader) => {
    await openReport(reader);
    const losses = reader.page.locator(".losses");
    expect(await textOf(reader, losses)).toMatch(/^(Loses points on|Lowest scores): ./);
  },
  "what does it cost": async (reader) => {
    const row = firstRow(reader.page);
    expect(await textOf(reader, row.locator(".brief, td").filter({ hasText: "$" }))).toMatch(
      /\$\d/,
    );
  },
  "can I trust it": async (reader) => {
    await openReport(reader);
    expect(await shownText(reader.page, ".run-head")).toContain("called by Assay");
    const cell = (term: string) => reader.page.locator(".strip div").filter({ hasText: term });
    expect(await textOf(reader, cell("Samples"))).toMatch(/Samples \d+ .*failed/);
    expect(await textOf(reader, cell("Signed"))).toMatch(/Signed (yes|no)/);
  },
};

const cases = windows.flatMap(([width, height]) =>
  suites.flatMap(({ id: suite }) =>
    Object.entries(questions).map(([question, answer]) => ({
      width,
      height,
      suite,
      question,
      answer,
    })),
  ),
);

describe("a reader of a board needs at most two clicks and 3,000 px of scrolling to answer", () => {
  it.each(cases)("$question, $suite at $width px", async (one) => {
    const { width, height, suite, question, answer } = one;
    const board = site.fixture.snapshot.boards.find(
      (b) => b.suite === suite && b.dataset.name === "stock",
    );
    const opened = pages.get(width) ?? site.browser.newPage({ viewport: { width, height } });
    pages.set(width, opened);
    const page = await opened;
    await page.goto(`${site.origin}/leaderboards/${suite}/stock/`);
    const reader: Reader = { page, clicks: 0, scrolledPx: 0 };
    await answer(reader, board!);
    keep(question, `at ${width} px`, reader);
    expect(reader.clicks).toBeLessThanOrEqual(mostClicks);
    expect(reader.scrolledPx).toBeLessThanOrEqual(mostScrolledPx);
  });
});
