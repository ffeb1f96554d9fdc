import type { Answer } from "../../../contracts/answer.ts";
import type { SampleLook } from "../../../contracts/run.ts";
import type { AnswerFault, JudgedPart, SampleToShow, Suite } from "../../../contracts/suite.ts";

/** An answer at a glance, and its judged parts. */
interface LookedAt {
  look: SampleLook;
  parts: JudgedPart[];
}

/**
 * An answer at a glance: the listed metrics, how many parts are wrong, and the first error in words. The detail must
 * not be null. Throws the suite's error for a detail of another version.
 * @example sampleLook(extraction, shown, score).look.firstError // "`date` is missing"
 */
export function sampleLook(suite: Suite, shown: SampleToShow<unknown, unknown>): LookedAt {
  const { fieldTable, sampleValues, listedMetrics = [] } = suite;
  const { score, answer } = shown;
  const list = fieldTable.parts;
  const parts = list === undefined ? [] : fieldTable.rows(shown).map((row) => list.of(row));
  const all = sampleValues({ ...score, covered: answer.error === null, detail: score.detail });
  const values = listedMetrics.map((id) => [id, plain(all[id])] as const);
  const fault = suite.answerFault === undefined ? answerFault(answer) : suite.answerFault(shown);
  const judged = parts.filter(({ isRight }) => isRight !== null);
  const wrong = parts.filter(({ isRight }) => isRight === false);
  const first = wrong[0] ?? parts.find(({ verdict }) => verdict === list?.worst);
  return {
    parts,
    look: {
      values: Object.fromEntries(values),
      parts: parts.length,
      wrong: judged.length === 0 ? null : wrong.length,
      fault: fault?.id ?? null,
      firstError: fault?.text ?? (first === undefined ? null : partText(first)),
    },
  };
}

type Value = ReturnType<Suite["sampleValues"]>[string];

function plain(value: Value | undefined): number | null {
  if (value === null || value === undefined || typeof value === "number") return value ?? null;
  return value.over === 0 ? null : value.of / value.over;
}

/** `wrong_type` and `wrongType` in words. */
const words = (id: string): string =>
  id
    .replaceAll("_", " ")
    .replace(/[a-z](?=[A-Z])/g, "$& ")
    .toLowerCase();

function partText({ path, verdict, patterns: [pattern = ""] }: JudgedPart): string {
  const why = words(pattern).includes(verdict)
    ? words(pattern)
    : `${words(verdict)}: ${words(pattern)}`;
  return `\`${path}\` ${pattern === "" ? words(verdict) : why}`;
}

/** The faults of any answer, and every verdict on its parts; `wrong` matches any part that is not right. */
export const sampleVerdicts = ({ fieldTable: { parts } }: Pick<Suite, "fieldTable">): string[] => [
  ...new Set([
    ...(parts ? ["wrong", ...parts.verdicts] : []),
    "refused",
    "empty",
    "failed_request",
  ]),
];

/**
 * Why an answer as a whole does not count, in any suite: its request failed, the model refused, or it is empty. Null
 * for any other answer.
 * @example answerFault(emptyAnswer)?.id // "empty"
 */
export function answerFault(answer: Answer): AnswerFault | null {
  const { error, refusal, output, toolCalls, turns } = answer;
  if (error !== null) {
    return { id: "failed_request", text: `the request failed: ${words(error.class)}` };
  }
  if (refusal) return { id: "refused", text: "the model refused to answer" };
  const isSilent = (output ?? "").trim() === "" && !toolCalls?.length && !turns?.length;
  return isSilent ? { id: "empty", text: "the answer has no text" } : null;
}
