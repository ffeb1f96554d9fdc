import { z } from "zod";
import type { ResultStatement } from "#shared/contracts/boards/result-statement.ts";
import { LineDigest } from "#shared/contracts/content-hash.ts";
import { DatasetVersion } from "../compare/compare-paths.ts";
import { badLine } from "../errors.ts";
import { linesOf, parseRow } from "../files/read-lines.ts";
import { type Check, checkSchema, type Difference, differs, passed, unchecked } from "./check.ts";
import { checkScores, type FileCounts } from "./check-scores.ts";
import { checkSignature, type TrustedKeys } from "./check-signature.ts";
import type { Evidence, Part } from "./evidence.ts";

/** The outcome of verifying a result: `unchecked` if nothing differs, but something could not be checked. */
export const verificationSchema = z.object({
  run: z.string().meta({ description: "the run, or the name of a parity" }),
  verdict: z.enum(["verified", "differs", "unchecked"]),
  checks: z.array(checkSchema),
});
export type Verification = z.infer<typeof verificationSchema>;

/** Checks a result. `keys`: public keys, or why there are none. */
export async function verifyResult(
  evidence: Evidence,
  keys: TrustedKeys | { missing: string },
): Promise<Verification> {
  const { signed, document, dataset, answers } = evidence;
  const { statement } = signed;
  const given = { ...signed, statement: (document as { statement: unknown }).statement };
  const samples = of("dataset", dataset, (path) => checkDataset(statement, path));
  const lines = of("answers", answers, (path) => checkAnswers(statement, path));
  const checks = [
    "missing" in keys && signed.signature !== null
      ? unchecked("signature", keys.missing)
      : checkSignature(given, "missing" in keys ? { keys: [], source: "" } : keys),
    samples.check,
    lines.check,
    ...(await scoresOf(evidence, { samples: samples.count, answers: lines.count })),
  ];
  return { run: statement.run, verdict: verdictOf(checks), checks };
}

/** The check of a file, and its real number of lines. */
interface CountedCheck {
  check: Check;
  count: number;
}

const of = (
  name: Check["name"],
  part: Part,
  check: (path: string) => CountedCheck,
): CountedCheck =>
  "missing" in part ? { check: unchecked(name, part.missing), count: 0 } : check(part.path);

/** Whether a file of samples is the dataset of the statement. Throws BadInput if it can't be read. */
function checkDataset({ dataset }: ResultStatement, path: string): CountedCheck {
  const version = new DatasetVersion();
  let samples = 0;
  for (const { number, bytes } of linesOf(path)) {
    const row = parseRow(bytes);
    if (!row.ok) throw badLine(path, number, row.error);
    version.add(row.value, bytes);
    samples++;
  }
  const found = version.digest();
  const differences = [
    ...difference("samples", dataset.samples, samples),
    ...difference("dataset version", dataset.version, found),
  ];
  const described = `${samples} samples of ${dataset.name}, version ${found.slice(0, 12)}`;
  const check =
    differences.length > 0
      ? differs("dataset", "not the samples that were used", differences)
      : passed("dataset", described);
  return { check, count: samples };
}

const difference = (what: string, signed: unknown, found: unknown): Difference[] =>
  signed === found ? [] : [{ what, signed, found }];

/** Whether a file of whole answers matches the hash in the statement. Throws BadInput if it can't be read. */
function checkAnswers({ answers }: ResultStatement, path: string): CountedCheck {
  const digest = new LineDigest();
  let count = 0;
  for (const { bytes } of linesOf(path)) {
    if (count < answers.count) digest.add(bytes.toString());
    count++;
  }
  return { check: answersCheck(answers, count, digest.digest()), count };
}

function answersCheck(
  { count: stated, sha256 }: ResultStatement["answers"],
  count: number,
  found: string,
): Check {
  if (sha256 === null) {
    return unchecked("answers", "they were deleted before the statement was signed");
  }
  const differences = [
    ...difference("answers", stated, count),
    ...difference("answers' SHA-256", sha256, found),
  ];
  if (differences.length > 0)
    return differs("answers", "not the answers that were scored", differences);
  return passed("answers", `${count}, SHA-256 ${sha256.slice(0, 12)}`);
}

async function scoresOf(
  { signed, dataset, answers }: Evidence,
  counts: FileCounts,
): Promise<Check[]> {
  if ("path" in dataset && "path" in answers) {
    const paths = { dataset: dataset.path, answers: answers.path };
    return checkScores(signed.statement, paths, counts);
  }
  const reason = "it needs samples and answers";
  return [unchecked("scores", reason), unchecked("metrics", reason)];
}

/** The verdict of all checks. */
export function verdictOf(checks: readonly Check[]): Verification["verdict"] {
  if (checks.some(({ outcome }) => outcome === "differs")) return "differs";
  return checks.some(({ outcome }) => outcome === "unchecked") ? "unchecked" : "verified";
}
