import { existsSync } from "node:fs";
import {
  KEYS_PATH,
  publicKeysSchema,
  type ResultStatement,
} from "#shared/contracts/boards/result-statement.ts";
import { textOrJson } from "#shared/contracts/json.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { withService } from "../local/with-service.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { printable, textTable } from "../terminal/text.ts";
import type { Check, Difference } from "../verify/check.ts";
import type { TrustedKeys } from "../verify/check-signature.ts";
import { evidenceOf, readKeys } from "../verify/evidence.ts";
import { isParity, readParity, verifyParity } from "../verify/verify-parity.ts";
import { type Verification, verificationSchema, verifyResult } from "../verify/verify-result.ts";

const flags = {
  key: valueFlag(
    "FILE",
    "Public keys to trust, in the form of /.well-known/assay-keys.json; by default the keys of the service",
  ),
  save: valueFlag("DIR", "Save all downloaded files, with the service's keys as keys.json"),
  json: jsonFlag(verificationSchema),
  ...serviceFlags,
} as const;

/** Maximum shown differences of one check. */
const MOST = 20;

const marks: Record<Check["outcome"], string> = {
  ok: "ok",
  differs: "DIFFERS",
  unchecked: "not checked",
};

/** Longer text, such as a whole judgment, would break the table. */
const MOST_CHARACTERS = 70;

/** `assay verify`: checks a published result. */
export const verifyCommand = command({
  name: "verify",
  summary: "check a result's signature and recompute its numbers",
  description: [
    "Checks a published result on this machine: that the deployment signed it, that samples and answers match the signed hashes, and that recomputed scores and metrics are equal.",
  ],
  positionals: [
    {
      name: "result",
      help: "Id of a run: everything is downloaded; a file with the reply of GET /v1/runs/{id}/statement: samples and answers are downloaded; a folder written by --save: with --key, no service is called; or OWNER/NAME of a parity, or a file with its statement: the scores of its runs are downloaded",
    },
  ],
  flags,
  environment: keyVariable,
  exitCodes: {
    0: "Everything matches the signed statement",
    1: "Something differs",
    2: "Something cannot be checked",
  },
  notes: [
    "Judges are not called: their recorded judgments are used. Values may differ by 1e-9. Unlisted runs are visible to anyone who has their ids.",
  ],
  examples: [
    "assay verify run_01a2b3c4 --server https://assay.example.com",
    "assay verify run_01a2b3c4 --save evidence",
    "assay verify evidence --key keys.json",
    "assay verify acme/extract-7b-hosts",
  ],
  async run(values, [target], { stdout, stderr }) {
    const keys = values.key === undefined ? null : readKeys(values.key);
    const verify = async (service: () => ServiceClient) => {
      const { found, text } = await verification(target, service, keys, values.save);
      stdout.write(`${values.json ? flags.json.text(found) : text}\n`);
      conclude(found);
    };
    // A run's evidence is at a service; files may need no service.
    if (existsSync(target)) return verify(() => serviceOf(values, "submit"));
    const { server } = values;
    await withService({ server, scope: "submit", stderr }, (service) => verify(() => service));
  },
});

/** Checks a result, as data and as text. `given`: the keys to trust; null: those of the service. */
export async function verification(
  target: string,
  service: () => ServiceClient,
  given: TrustedKeys | null = null,
  save?: string,
): Promise<{ found: Verification; text: string }> {
  if (isParity(target)) {
    if (save !== undefined) throw new BadInput("--save applies only to a run");
    const read = await readParity(target, service);
    const found = await verifyParity(read, service, given ?? (await keysOf(service())));
    const { name, verdict, asOf } = read.signed.statement;
    const title = `${name}  ${verdict}${asOf === undefined ? "" : ` Signed ${asOf}.`}`;
    return { found, text: [printable(title), "", ...checkLines(found)].join("\n") };
  }
  const evidence = await evidenceOf(target, service, save ?? null);
  try {
    const found = await verifyResult(evidence, given ?? (await keysOf(service())));
    return { found, text: verificationText(evidence.signed.statement, found) };
  } finally {
    evidence.dispose();
  }
}

async function keysOf(service: ServiceClient): Promise<TrustedKeys | { missing: string }> {
  try {
    const value = await service.get(KEYS_PATH, publicKeysSchema);
    return { keys: value.keys, source: service.origin };
  } catch (error) {
    if (error instanceof ServiceError) return { missing: error.message };
    throw error;
  }
}

function text(value: unknown): string {
  if (value === null) return "none";
  const whole = textOrJson(value);
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
}

/** The outcome of all checks, for a terminal. */
function verificationText(statement: ResultStatement, found: Verification): string {
  const { run, model, suite, dataset, answers, finishedAt } = statement;
  const { kind, runner } = answers;
  const madeBy = runner === undefined ? kind : `called by a runner of ${runner.owner}`;
  const hosts = answers.hosts.length === 0 ? "" : ` at ${answers.hosts.join(", ")}`;
  return [
    printable(`${run}  ${model.slug}, ${madeBy}${hosts}`),
    printable(`${suite.id} ${suite.version} on ${dataset.name}, finished ${finishedAt}`),
    "",
    ...checkLines(found),
  ].join("\n");
}

function checkLines({ checks }: Verification): string[] {
  const rows = checks.map(({ name, outcome, said }) => [name, marks[outcome], printable(said)]);
  return [
    ...textTable([["check", "outcome", "found"], ...rows], () => true),
    ...checks.flatMap(differenceLines),
  ];
}

function differenceLines({ name, differences }: Check): string[] {
  if (differences.length === 0) return [];
  const shown = differences.slice(0, MOST).map(cells);
  const left = differences.length - shown.length;
  return [
    "",
    ...textTable([[name, "stated", "found"], ...shown], (column) => column === 0),
    ...(left > 0 ? [`and ${left} more; --json prints all`] : []),
  ];
}

const cells = ({ what, signed, found }: Difference): string[] =>
  [what, text(signed), text(found)].map(printable);

function conclude({ run, verdict, checks }: Verification): void {
  const namesOf = (outcome: string) =>
    checks.flatMap((check) => (check.outcome === outcome ? [check.name] : [])).join(", ");
  if (verdict === "differs")
    throw new NotPassed(`${run} differs from the published result: ${namesOf("differs")}`);
  if (verdict === "unchecked") {
    throw new BadInput(`${run} cannot be checked completely: ${namesOf("unchecked")}`);
  }
}
