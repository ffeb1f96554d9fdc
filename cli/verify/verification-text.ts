import type { ResultStatement } from "#shared/contracts/result-statement.ts";
import { printable } from "../printable.ts";
import { textTable } from "../score/text-table.ts";
import type { Check, Difference } from "./check.ts";
import type { Verification } from "./verify-result.ts";

/** Differences shown of one check. */
const MOST = 20;

const marks: Record<Check["outcome"], string> = {
  ok: "ok",
  differs: "DIFFERS",
  unchecked: "not checked",
};

/** What was found of a result, for a terminal. */
export function verificationText(statement: ResultStatement, { checks }: Verification): string {
  const { run, model, suite, dataset, answers, finishedAt } = statement;
  const hosts = answers.hosts.length === 0 ? "" : ` at ${answers.hosts.join(", ")}`;
  const rows = checks.map(({ name, outcome, said }) => [name, marks[outcome], printable(said)]);
  return [
    printable(`${run}  ${model.slug}, ${answers.kind}${hosts}`),
    printable(`${suite.id} ${suite.version} on ${dataset.name}, finished ${finishedAt}`),
    "",
    ...textTable([["check", "outcome", "found"], ...rows], () => true),
    ...checks.flatMap(differenceLines),
  ].join("\n");
}

function differenceLines({ name, differences }: Check): string[] {
  if (differences.length === 0) return [];
  const shown = differences.slice(0, MOST).map(cells);
  const left = differences.length - shown.length;
  return [
    "",
    ...textTable([[name, "stated", "found"], ...shown], (column) => column === 0),
    ...(left > 0 ? [`and ${left} more; --json has all`] : []),
  ];
}

const cells = ({ what, signed, found }: Difference): string[] =>
  [what, text(signed), text(found)].map(printable);

/** Longer text, as a whole judgment, would break the table. */
const MOST_CHARACTERS = 70;

function text(value: unknown): string {
  if (value === null) return "none";
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
}
