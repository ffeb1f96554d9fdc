import { jsx } from "hono/jsx";

/** A test case, which has passed unless it has an error, a failure or `isSkipped`. */
export interface JunitCase {
  className: string;
  name: string;
  error?: { message: string; type: string };
  failure?: { message: string; type: string };
  isSkipped?: boolean;
  output?: string;
}

export interface JunitSuite {
  name: string;
  /** ISO 8601. */
  timestamp?: string;
  cases: readonly JunitCase[];
}

/**
 * JUnit XML for GitLab and Jenkins.
 * @example junitXml([{ name: "gate", cases: [{ className: "gate", name: "EQS" }] }])
 */
export function junitXml(suites: readonly JunitSuite[]): string {
  const root = jsx(
    "testsuites",
    countsOf(suites.flatMap(({ cases }) => cases)),
    ...suites.map(({ name, timestamp, cases }) =>
      jsx(
        "testsuite",
        { name, ...(timestamp !== undefined && { timestamp }), ...countsOf(cases) },
        ...cases.map(caseOf),
      ),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

const countsOf = (cases: readonly JunitCase[]) => ({
  tests: `${cases.length}`,
  failures: `${cases.filter(({ failure }) => failure).length}`,
  errors: `${cases.filter(({ error }) => error).length}`,
  skipped: `${cases.filter(({ isSkipped }) => isSkipped).length}`,
});

const caseOf = ({ className, name, error, failure, isSkipped, output }: JunitCase) =>
  jsx(
    "testcase",
    { classname: className, name },
    ...(error ? [jsx("error", error)] : []),
    ...(failure ? [jsx("failure", failure)] : []),
    ...(isSkipped ? [jsx("skipped", {})] : []),
    ...(output === undefined ? [] : [jsx("system-out", {}, output)]),
  );
