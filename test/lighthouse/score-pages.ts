import { extraction } from "../../shared/suites/extraction/suite.ts";
import { openBrowser } from "../browser/support/browser.ts";
import { compareApi } from "../browser/support/compare-api.ts";
import { serveDist } from "../browser/support/serve-dist.ts";
import { freePort } from "../faults/support/free-port.ts";
import { type PageScores, scorePage } from "./score-page.ts";

interface ScoringSettings {
  /** Measurements per page, of which the median counts. */
  runs: number;
  isDesktop?: boolean;
}

/** Scores pages of a built site one by one, served together with a stub of its API. */
export async function scorePages(
  dist: string,
  paths: readonly string[],
  { runs, isDesktop = false }: ScoringSettings,
): Promise<PageScores[]> {
  const { board, routes } = compareApi(extraction);
  // Reports request their rank on a board, and the account page the sign-in providers.
  const api = {
    ...routes,
    "GET /v1/boards/*": () => ({ body: board }),
    "GET /v1/sign-in": () => ({ body: { providers: [] } }),
  };
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  const site = await serveDist(dist, { gzip: true, api }).catch(async (error) => {
    await browser.close();
    throw error;
  });
  try {
    const pages: PageScores[] = [];
    for (const path of paths) {
      const measured: PageScores[] = [];
      for (let i = 0; i < runs; i++) {
        measured.push(await scorePage(`${site.origin}${path}`, { port, isDesktop }));
      }
      pages.push(median(measured));
    }
    return pages;
  } finally {
    await browser.close();
    site.server.close();
  }
}

/** The measurement with the median performance score; the other scores do not vary. */
function median(measured: readonly PageScores[]): PageScores {
  const sorted = measured.toSorted((a, b) => (a.scores[0] ?? 0) - (b.scores[0] ?? 0));
  return sorted[Math.floor(sorted.length / 2)] as PageScores;
}
