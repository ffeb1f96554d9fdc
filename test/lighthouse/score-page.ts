import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Downloaded on demand, because nothing else needs it and it has a hundred dependencies. */
const LIGHTHOUSE = "lighthouse@13.5.0";
/** Large, because a result contains screenshots. */
const MAX_RESULT_BYTES = 64 * 2 ** 20;

export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

/** A page's scores, 0–100, in the order of `categories`, and the audits that failed. */
export interface PageScores {
  path: string;
  scores: number[];
  flaws: string[];
}

/** The used parts of Lighthouse's result. */
interface LighthouseResult {
  runtimeError?: { message: string };
  categories: Record<
    string,
    { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
  >;
  audits: Record<
    string,
    { title: string; displayValue?: string; score: number | null } | undefined
  >;
}

/** Scores a page with Lighthouse in the Chromium whose debugger listens on `port`. */
export async function scorePage(
  url: string,
  { port, isDesktop }: { port: number; isDesktop: boolean },
): Promise<PageScores> {
  const result = await lighthouse(url, [
    `--port=${port}`,
    ...(isDesktop ? ["--preset=desktop"] : []),
  ]);
  if (result.runtimeError) throw new Error(`${url}: ${result.runtimeError.message}`);
  const found = categories.flatMap((id) => result.categories[id] ?? []);
  const flawed = found
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ weight }) => weight > 0)
    .flatMap(({ id }) => result.audits[id] ?? [])
    .filter(({ score }) => score !== null && score < 0.9);
  return {
    path: new URL(url).pathname,
    scores: found.map(({ score }) => Math.round((score ?? 0) * 100)),
    flaws: flawed.map(({ title, displayValue }) =>
      [title, displayValue].filter(Boolean).join(": "),
    ),
  };
}

async function lighthouse(url: string, more: readonly string[]): Promise<LighthouseResult> {
  const only = `--only-categories=${categories.join()}`;
  const args = ["--yes", LIGHTHOUSE, url, "--quiet", "--output=json", only, ...more];
  const { stdout } = await promisify(execFile)("npx", args, { maxBuffer: MAX_RESULT_BYTES });
  return JSON.parse(stdout) as LighthouseResult;
}
