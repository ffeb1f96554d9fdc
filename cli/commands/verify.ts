import {
  KEYS_PATH,
  publicKeysSchema,
  type ResultStatement,
} from "#shared/contracts/result-statement.ts";
import { BadInput } from "../bad-input.ts";
import { NotPassed } from "../not-passed.ts";
import { printable } from "../printable.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { textTable } from "../score/text-table.ts";
import type { Check, Difference } from "../verify/check.ts";
import type { TrustedKeys } from "../verify/check-signature.ts";
import { evidenceOf } from "../verify/evidence.ts";
import { readKeys } from "../verify/read-statement.ts";
import { type Verification, verifyResult } from "../verify/verify-result.ts";
import { command } from "./command.ts";

const help = `assay verify <run | statement | folder> [--key FILE] [--save DIR] [options]

Checks a published result: that the deployment signed it, that samples and answers are those it was made of, and
that scores and metrics follow from them, worked out anew on this machine.

  <run>             a run's id: all is downloaded from the service
  <statement>       a file with what GET /v1/runs/{id}/statement gives; samples and answers are downloaded
  <folder>          statement.json, dataset.jsonl and answers.jsonl, as --save writes them; with --key no
                    service is asked
  --key FILE        the public keys to trust, as /.well-known/assay-keys.json has them; without it, those of
                    the service
  --save DIR        keep what is downloaded there, the service's keys as keys.json with it
  --json            print what was found as JSON
  ${serverHelp}
  --help            show this

Judges are not asked: what they said when the result was made is taken as it is. Values may be 1e-9 apart.
Unlisted runs are there for whoever knows their ids.
${keyHelp}

Exit code: 0 when all is as it was signed, 1 when something differs, 2 when something can't be checked.

Examples
  assay verify run_01a2b3c4 --server https://assay.example.com
  assay verify run_01a2b3c4 --save evidence
  assay verify evidence --key keys.json`;

const flags = {
  ...serviceFlags,
  key: { type: "string" },
  save: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `assay verify`: checks a published result. */
export const verifyCommand = command({
  name: "verify",
  summary: "check a result's signature and work its numbers out anew",
  help,
  flags,
  async run(values, [target, surplus], { stdout }) {
    if (target === undefined) {
      throw new BadInput("name a run by its id, a statement's file, or a folder with both");
    }
    if (surplus !== undefined) throw new BadInput(`one result at a time; "${surplus}" is too much`);
    const service = () => serviceOf(values, "submit");
    const given = values.key === undefined ? null : readKeys(values.key);
    const evidence = await evidenceOf(target, service, values.save ?? null);
    try {
      const keys = given ?? (await keysOf(service()));
      const found = await verifyResult(evidence, keys);
      const text = values.json
        ? JSON.stringify(found, null, 2)
        : verificationText(evidence.signed.statement, found);
      stdout.write(`${text}\n`);
      conclude(found);
    } finally {
      evidence.dispose();
    }
  },
});

async function keysOf(service: ServiceClient): Promise<TrustedKeys | { missing: string }> {
  try {
    const { value } = await service.get(KEYS_PATH, publicKeysSchema);
    return { keys: value.keys, source: service.origin };
  } catch (error) {
    if (error instanceof ServiceError) return { missing: error.message };
    throw error;
  }
}

function conclude({ run, verdict, checks }: Verification): void {
  const namesOf = (outcome: string) =>
    checks.flatMap((check) => (check.outcome === outcome ? [check.name] : [])).join(", ");
  if (verdict === "differs")
    throw new NotPassed(`${run} is not as published: ${namesOf("differs")}`);
  if (verdict === "unchecked") {
    throw new BadInput(`${run} can't be checked in full: ${namesOf("unchecked")}`);
  }
}

/** Differences shown of one check. */
const MOST = 20;

const marks: Record<Check["outcome"], string> = {
  ok: "ok",
  differs: "DIFFERS",
  unchecked: "not checked",
};

/** What was found of a result, for a terminal. */
function verificationText(statement: ResultStatement, { checks }: Verification): string {
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
