import type { Guard } from "./guard.ts";

/** The used parts of vitest's JSON report. */
export interface Report {
  testResults: {
    /** Path of the test file. */
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

export type Verdict =
  | { kind: "passed" }
  | { kind: "failed"; why: string }
  /** The test failed for another reason than its assertions. */
  | { kind: "broke"; why: string }
  | { kind: "absent"; why: string };

/** Matches errors of `expect`, including `resolves` and `rejects`. */
const ASSERTED = /^(AssertionError\b|Error: promise (rejected|resolved) )/;

/** A pattern of tests or cases with this title; `%s` matches any text. */
export const patternOf = (title: string): string =>
  title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", ".*");

/** The verdict on a test, which may have several cases: one failed assertion is enough. */
export function verdictOf(
  report: Report,
  { testFile, title }: Pick<Guard, "testFile" | "title">,
): Verdict {
  const ofFile = report.testResults.filter(({ name }) => name.endsWith(`/${testFile}`));
  const pattern = new RegExp(patternOf(title));
  const ran = ofFile
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => pattern.test(fullName) && /^(passed|failed)$/.test(status));
  if (ran.length === 0) {
    const [why = "no test has this title"] = ofFile.map(({ message }) => message).filter(Boolean);
    return { kind: "absent", why: lineOf(why) };
  }
  const whys = ran.flatMap(({ failureMessages }) => failureMessages);
  const asserted = whys.find((one) => ASSERTED.test(one));
  if (asserted !== undefined) return { kind: "failed", why: lineOf(asserted) };
  const [first] = whys;
  return first === undefined ? { kind: "passed" } : { kind: "broke", why: lineOf(first) };
}

const lineOf = (text: string) => text.split("\n")[0]!.slice(0, 160);
