import type { Guard } from "./guard.ts";

/** What vitest's JSON reporter says of a run, as far as it is read. */
export interface Report {
  testResults: {
    /** The file. */
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

export type Verdict =
  | { kind: "passed" }
  | { kind: "failed"; why: string }
  /** It failed for something else than what it asserts. */
  | { kind: "broke"; why: string }
  | { kind: "absent"; why: string };

/** How the errors of `expect` begin, those of `resolves` and `rejects` included. */
const ASSERTED = /^(AssertionError\b|Error: promise (rejected|resolved) )/;

/** A pattern of the tests whose title, or that of their case, is this one; `%s` is any text. */
export const patternOf = (title: string): string =>
  title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("%s", ".*");

/** How a test ended that may have several cases: one that fails its assertion is enough. */
export function verdictOf(
  report: Report,
  { testFile, title }: Pick<Guard, "testFile" | "title">,
): Verdict {
  const its = report.testResults.filter(({ name }) => name.endsWith(`/${testFile}`));
  const pattern = new RegExp(patternOf(title));
  const ran = its
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => pattern.test(fullName) && /^(passed|failed)$/.test(status));
  if (ran.length === 0) {
    const [why = "no test has this title"] = its.map(({ message }) => message).filter(Boolean);
    return { kind: "absent", why: lineOf(why) };
  }
  const whys = ran.flatMap(({ failureMessages }) => failureMessages);
  const asserted = whys.find((one) => ASSERTED.test(one));
  if (asserted !== undefined) return { kind: "failed", why: lineOf(asserted) };
  const [first] = whys;
  return first === undefined ? { kind: "passed" } : { kind: "broke", why: lineOf(first) };
}

const lineOf = (text: string) => text.split("\n")[0]!.slice(0, 160);
