import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkout } from "../checkout.ts";
import type { Guard } from "./guard.ts";
import { guards } from "./guards.ts";
import { patternOf, type Report, type Verdict, verdictOf } from "./verdict.ts";

/** Copies of the project for parallel tests, one per core. */
const COPIES = 2;

interface LimitGuard extends Guard {
  limit: string;
}

/**
 * Removes each guard of the limits whose names contain one of `parts`, in a copy of the project, and runs its test. The
 * test must pass with the guard and fail an assertion without it. Prints each verdict; returns 1 if a guard has no such test.
 */
export async function withoutGuards(parts: readonly string[]): Promise<number> {
  const wanted = guardsOf(parts);
  if (wanted.length === 0) {
    console.error(`No limit matches.\n\n${Object.keys(guards).join("\n")}`);
    return 2;
  }
  const begun = performance.now();
  const copies = Array.from({ length: COPIES }, checkout);
  try {
    const usual = await reportOf(copies[0]!.folder, wanted);
    const left = [...wanted];
    let hollow = 0;
    const tryIn = async (folder: string) => {
      for (let guard = left.shift(); guard; guard = left.shift()) {
        const result = resultOf(
          verdictOf(usual, guard),
          verdictOf(await reportWithout(folder, guard), guard),
        );
        if (result.isHollow) hollow += 1;
        console.log(rowOf(guard, result));
      }
    };
    await Promise.all(copies.map(({ folder }) => tryIn(folder)));
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
    console.log(
      `\n${wanted.length - hollow} of ${wanted.length} guards are tested, in ${minutes} minutes.`,
    );
    return hollow === 0 ? 0 : 1;
  } finally {
    for (const { remove } of copies) remove();
  }
}

/** The guards without duplicates, since a guard may belong to several limits. */
function guardsOf(parts: readonly string[]): LimitGuard[] {
  const all = Object.entries(guards)
    .filter(([limit]) => parts.length === 0 || parts.some((part) => limit.includes(part)))
    .flatMap(([limit, kept]) => kept.guards.map((guard: Guard) => ({ limit, ...guard })));
  const keyOf = ({ code, without, testFile, title }: Guard) =>
    JSON.stringify([code, without, testFile, title]);
  return [...new Map(all.toReversed().map((guard) => [keyOf(guard), guard])).values()].reverse();
}

async function reportWithout(folder: string, guard: Guard): Promise<Report> {
  const [file, text] = guard.code;
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  if (before.split(text).length !== 2)
    throw new Error(`the text does not occur exactly once in ${file}: ${text}`);
  writeFileSync(
    path,
    before.replace(text, () => guard.without),
  );
  try {
    return await reportOf(folder, [guard]);
  } finally {
    writeFileSync(path, before);
  }
}

/** Runs these tests in a copy of the project. */
async function reportOf(folder: string, wanted: readonly Guard[]): Promise<Report> {
  const files = [...new Set(wanted.map(({ testFile }) => testFile))];
  const titles = [...new Set(wanted.map(({ title }) => patternOf(title)))];
  const output = join(folder, "report.json");
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", ...files, "-t", titles.join("|"), "--reporter=json"];
  // Vitest exits with an error if a test fails.
  const ended = await promisify(execFile)(process.execPath, [...args, `--outputFile=${output}`], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  }).catch((error) => error as { stderr: string });
  try {
    return JSON.parse(readFileSync(output, "utf8")) as Report;
  } catch (error) {
    throw new Error(`vitest wrote no report of ${files}: ${ended.stderr}`, { cause: error });
  } finally {
    rmSync(output, { force: true });
  }
}

interface Result {
  isHollow: boolean;
  text: string;
}

/** The result of a test with and without the guard. */
export function resultOf(usual: Verdict, without: Verdict): Result {
  if (usual.kind !== "passed")
    return { isHollow: true, text: `does not pass with the guard: ${whyOf(usual)}` };
  if (without.kind === "failed")
    return { isHollow: false, text: `fails without it: ${without.why}` };
  if (without.kind === "passed") return { isHollow: true, text: "passes without the guard, too" };
  return { isHollow: true, text: `asserts nothing without the guard: ${whyOf(without)}` };
}

const whyOf = (verdict: Verdict) => (verdict.kind === "passed" ? "" : verdict.why);

/** A row of the table, with the problem below it. */
function rowOf(guard: LimitGuard, { isHollow, text }: Result): string {
  const cells = [isHollow ? "✗" : "✓", guard.limit.padEnd(LIMIT_WIDTH), codeOf(guard)];
  const row = cells.join("  ").trimEnd();
  return isHollow ? `${row}\n     ${guard.testFile}: ${guard.title}\n     ${text}` : row;
}

const codeOf = ({ code: [file, text] }: Guard) => `${file}: ${text.trim().split("\n")[0]}`;
const LIMIT_WIDTH = Math.max(...Object.keys(guards).map(({ length }) => length));
