import { appendFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { markdownDocument } from "../compare/comparison-file.ts";
import { writeProblem } from "../files/open-file.ts";
import { type OutputFile, openOutput } from "../files/output-file.ts";
import { formatValue, printable } from "../terminal/text.ts";
import { type Gate, marginText, missedOf, outcomeText } from "./gate.ts";
import { gateText } from "./gate-text.ts";
import { type JunitCase, type JunitSuite, junitXml } from "./junit.ts";
import { type PullRequest, pullRequestOf, writeComment } from "./pull-request-comment.ts";

/** GitHub shows ten annotations of a kind for each step. */
const MOST_ANNOTATIONS = 10;

/** Outputs of a gate in addition to the terminal. */
export interface GateOutputs {
  /** File to which Markdown is appended; null: none. */
  summary: string | null;
  annotations: boolean;
  comment: PullRequest | null;
}

/** Checks outputs before anything is evaluated. Throws BadInput. */
export function gateOutputs(
  { comment, ...given }: { summary: string | null; annotations: boolean; comment: boolean },
  env: NodeJS.ProcessEnv,
): GateOutputs {
  if (given.summary !== null) append(given.summary, "");
  return { ...given, comment: comment ? pullRequestOf(env) : null };
}

/** Line of a sample in a file of samples; null: not known. */
export type SamplePlace = (id: string) => { file: string; line: number } | null;

interface GateContext {
  stderr: Writable;
  /** Time from which ages are counted (ms). */
  now: number;
  placeOf?: SamplePlace;
  /** Failures in addition to missed margins. */
  failures?: readonly string[];
}

/** Writes the result. A failed comment is only reported, because the summary has the same content. */
export async function writeGates(
  gates: readonly Gate[],
  { summary, annotations, comment }: GateOutputs,
  { stderr, now, placeOf = () => null, failures = [] }: GateContext,
): Promise<void> {
  const lines = annotations ? annotationLines(gates, placeOf, failures) : [];
  for (const line of lines) stderr.write(`${line}\n`);
  if (summary === null && comment === null) return;
  const markdown = markdownDocument(gateText(gates, now, failures));
  if (summary !== null) append(summary, `${markdown}\n`);
  if (comment !== null) stderr.write(`${await writeComment(comment, markdown, gateName(gates))}\n`);
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw writeProblem(path, error);
  }
}

const gateName = (gates: readonly Gate[]): string =>
  [...new Set(gates.map(({ suite, dataset }) => `${suite} ${dataset}`))].join("\n");

/** Annotations as GitHub workflow commands: failures, missed margins and worse samples. */
function annotationLines(
  gates: readonly Gate[],
  placeOf: SamplePlace,
  failures: readonly string[],
): string[] {
  const missed = gates.flatMap((gate) => missedOf(gate).map((outcome) => ({ gate, outcome })));
  const errors = missed.map(({ gate, outcome }) =>
    annotation("error", { title: `Gate of ${gate.tested.name}` }, outcomeText(outcome)),
  );
  const samples = missed.flatMap(({ outcome: { label, format, worst } }) =>
    worst.map(({ id, base, tested }) => {
      const found = placeOf(id);
      const place = found === null ? null : { file: found.file, line: `${found.line}` };
      const text = `${label} of sample ${id} is ${formatValue(tested, format)}, ${formatValue(base, format)} in the baseline`;
      return annotation("warning", { title: `${label} is worse`, ...place }, text);
    }),
  );
  const others = failures.map((failure) => annotation("error", { title: "Gate" }, failure));
  return [
    ...[...others, ...errors].slice(0, MOST_ANNOTATIONS),
    ...samples.slice(0, MOST_ANNOTATIONS),
  ];
}

function annotation(kind: string, properties: Record<string, string>, message: string): string {
  const named = Object.entries(properties).map(
    ([name, value]) => `${name}=${quoted(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::${kind} ${named.join(",")}::${quoted(message)}`;
}

const quoted = (text: string): string => printable(text).replaceAll("%", "%25");

/** A file of JUnit XML for gates. */
export type GateFile = ReturnType<typeof gateFile>;

/** Opens a file of JUnit XML before anything is compared. Throws BadInput if it can't be written. */
export function gateFile(path: string, inputs: readonly string[]) {
  let file: OutputFile | null = openOutput(path, inputs);
  return {
    write(gates: readonly Gate[]): void {
      file?.add(junitXml(gates.map(gateSuite)));
      file?.complete();
      file = null;
    },
    /** Keeps the previous file; does nothing once the new one is written. */
    abandon: () => file?.abandon(),
  };
}

/** A gate as a JUnit suite: a case for each margin, and for a missed margin a case for each listed worse sample. */
export function gateSuite({ suite, dataset, tested, outcomes }: Gate): JunitSuite {
  const name = printable(`gate: ${tested.name} · ${suite} · ${dataset}`);
  const caseOf = (title: string) => ({
    className: `assay.gate.${suite}`,
    name: printable(`${name}: ${title}`),
  });
  const cases = outcomes.flatMap((outcome): JunitCase[] => {
    const { label, format, verdict, worst } = outcome;
    const one = caseOf(`${label} no worse by ${marginText(outcome)}`);
    const text = outcomeText(outcome);
    if (verdict === "no-worse") return [{ ...one, output: text }];
    const samples = worst.map((sample) => {
      const [was, is] = [sample.base, sample.tested].map((value) => formatValue(value, format));
      const failure = { message: `${is}, ${was} in the baseline`, type: "worse" };
      return { ...caseOf(`${label} of sample ${sample.id}`), failure };
    });
    return [{ ...one, failure: { message: text, type: verdict } }, ...samples];
  });
  return { name, cases };
}
