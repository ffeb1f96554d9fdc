import type { Check } from "./check.ts";
import { unchecked } from "./check.ts";
import { checkAnswers, checkDataset } from "./check-files.ts";
import { checkScores } from "./check-scores.ts";
import { checkSignature, type TrustedKeys } from "./check-signature.ts";
import type { Evidence, Part } from "./evidence.ts";

/** What was found of a result: `unchecked` where nothing differs, but something could not be looked at. */
export interface Verification {
  run: string;
  verdict: "verified" | "differs" | "unchecked";
  checks: Check[];
}

/** Checks a result. `keys`: public keys, or why there are none. */
export async function verifyResult(
  evidence: Evidence,
  keys: TrustedKeys | { missing: string },
): Promise<Verification> {
  const { signed, document, dataset, answers } = evidence;
  const { statement } = signed;
  const given = { ...signed, statement: (document as { statement: unknown }).statement };
  const checks = [
    "missing" in keys && signed.signature !== null
      ? unchecked("signature", keys.missing)
      : checkSignature(given, "missing" in keys ? { keys: [], source: "" } : keys),
    of("dataset", dataset, (path) => checkDataset(statement, path)),
    of("answers", answers, (path) => checkAnswers(statement, path)),
    ...(await scoresOf(evidence)),
  ];
  return { run: statement.run, verdict: verdictOf(checks), checks };
}

const of = (name: Check["name"], part: Part, check: (path: string) => Check): Check =>
  "missing" in part ? unchecked(name, part.missing) : check(part.path);

async function scoresOf({ signed, dataset, answers }: Evidence): Promise<Check[]> {
  if ("path" in dataset && "path" in answers) {
    return checkScores(signed.statement, { dataset: dataset.path, answers: answers.path });
  }
  const said = "samples and answers are needed for it";
  return [unchecked("scores", said), unchecked("metrics", said)];
}

function verdictOf(checks: readonly Check[]): Verification["verdict"] {
  if (checks.some(({ outcome }) => outcome === "differs")) return "differs";
  return checks.some(({ outcome }) => outcome === "unchecked") ? "unchecked" : "verified";
}
