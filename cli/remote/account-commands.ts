import { z } from "zod";
import { accountSchema } from "#shared/contracts/keys/account.ts";
import {
  deletionSchema,
  type RetentionState,
  retentionStateSchema,
} from "#shared/contracts/keys/account-data.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { printable } from "../terminal/text.ts";
import { exportAccount } from "./export-account.ts";
import { keyVariable, serviceCommand, serviceFlags, serviceOf } from "./service-flags.ts";

const deletionFlags = {
  confirm: valueFlag(
    "NAME",
    "For operators: the account's name; without it, only show what would be deleted",
  ),
  owner: valueFlag("NAME", "For operators: delete this account"),
  reason: valueFlag("TEXT", "For operators: reason, stored in the audit log"),
  ...serviceFlags,
  json: jsonFlag(deletionSchema),
} as const;

/** `assay account delete`. */
const remove = command({
  name: "account delete",
  summary: "show what would be deleted with your account, and how to delete it",
  description: [
    "Shows what the account of the key has. You delete it at /account/, signed in; a key can't. Operators delete accounts with --owner and --confirm: runs, datasets, schedules, webhooks, keys. It can't be undone; export first. What remains is a keyed hash of the name, so that nobody else can take it.",
  ],
  flags: deletionFlags,
  environment: keyVariable,
  notes: ["Operators need a key with the scope admin."],
  examples: ["assay account delete", "assay account delete --owner acme --confirm acme"],
  async run({ confirm, owner: named, reason, ...values }, _, { stdout }) {
    const service = serviceOf(values, named === undefined ? "submit" : "admin");
    const owner =
      named ?? (await service.get("/v1/account", accountSchema.pick({ owner: true }))).owner;
    const query = new URLSearchParams({
      confirm: confirm ?? owner,
      dryRun: `${confirm === undefined}`,
      ...(reason && { reason }),
    });
    const path =
      named === undefined ? "/v1/account" : `/v1/operator/accounts/${encodeURIComponent(named)}`;
    const value = await service.delete(`${path}?${query}`, deletionSchema);
    const counts = Object.entries(value.removes).filter(([, count]) => count > 0);
    const lines = [
      confirm === undefined ? `Deleting ${owner} would remove` : `${owner} is being deleted, with`,
      ...counts.map(([what, count]) => `  ${what}: ${count}`),
      confirm === undefined
        ? `Nothing was changed: ${named === undefined ? "to delete it, sign in at /account/ of the service" : `add --confirm ${owner}`}`
        : "Its keys and sessions are revoked; everything else is deleted within hours.",
    ];
    const text = lines.map(printable).join("\n");
    stdout.write(`${values.json ? deletionFlags.json.text(value) : text}\n`);
  },
});

/** `assay account export`. */
const exportAll = serviceCommand({
  name: "account export",
  summary: "save everything that your account has as one zip file",
  description: [
    "Saves runs with answers, scores and summaries, datasets, and everything else of the account as JSON: keys without their secrets, sessions, schedules, webhooks, parities, shares, usage, and its entries in the audit log.",
  ],
  positionals: [{ name: "file", help: "The zip file, such as octocat.zip" }],
  scope: "submit",
  result: z.object({
    owner: z.string(),
    file: z.string(),
    files: z.int(),
    missing: z.array(z.object({ path: z.string(), reason: z.string() })),
  }),
  notes: [
    "Files are first saved in a folder FILE.parts. After an interruption, the same command continues there.",
    "missing.json lists files that the service did not return, such as answers that were deleted because of their age.",
  ],
  examples: ["assay account export octocat.zip"],
  call: async (service, _, [file]) => ({ ...(await exportAccount(service, file)), file }),
  text({ owner, file, files, missing }) {
    const left = missing.length === 0 ? "" : `; ${missing.length} more are in missing.json`;
    return printable(`${file} has ${files} files of ${owner}${left}`);
  },
});

/** Days in a flag: null for never, undefined without the flag. */
function daysIn(name: string, given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined;
  if (given === "never") return null;
  if (/^[1-9]\d{0,4}$/.test(given)) return Number(given);
  throw new BadInput(`--${name} must be a number of days from 1, or never; not "${given}"`);
}

function retentionText({ rules, effects }: RetentionState): string {
  if (rules.length === 0) return "The account deletes nothing by itself.";
  const days = (given: number | null) => (given === null ? "never" : `after ${given} days`);
  const lines = rules.map(({ dataset, answerDays, runDays }) => {
    const effect = effects.find((one) => one.dataset === dataset);
    const due =
      effect &&
      `; to delete within minutes: whole runs: ${effect.dueRuns}, only answers of: ${effect.dueAnswers}`;
    const what = `answers are deleted ${days(answerDays)}, runs ${days(runDays)}`;
    return printable(`${dataset ?? "all other runs"}: ${what}${due ?? ""}`);
  });
  return lines.join("\n");
}

/** `assay account retention`. */
const retention = serviceCommand({
  name: "account retention",
  summary: "show or set after how many days results are deleted",
  description: [
    "Shows after how many days raw answers, and whole runs, of your account are deleted. With --answers or --runs, sets it, also for runs that have ended.",
    "A key can't set it for a person or an organisation: do it at /account/ of the service, signed in.",
  ],
  flags: {
    dataset: valueFlag("NAME", "For runs on this dataset; by default for all others"),
    answers: valueFlag("DAYS", "Delete raw answers this many days after a run ends, or never"),
    runs: valueFlag("DAYS", "Delete whole runs this many days after they end, or never"),
  },
  scope: "submit",
  result: retentionStateSchema,
  notes: [
    "Setting it needs a key with the scope admin.",
    "Runs whose answers were deleted keep their figures, and can't be scored again.",
  ],
  examples: [
    "assay account retention",
    "assay account retention --answers 30",
    "assay account retention --dataset acme/tickets --runs 90 --answers never",
  ],
  async call(service, { dataset = null, answers, runs }) {
    const path = "/v1/account/retention";
    const [answerDays, runDays] = [daysIn("answers", answers), daysIn("runs", runs)];
    const state = await service.get(path, retentionStateSchema);
    if (answerDays === undefined && runDays === undefined) return state;
    const former = state.rules.find((rule) => rule.dataset === dataset);
    const rule = {
      dataset,
      answerDays: answerDays ?? (answerDays === null ? null : (former?.answerDays ?? null)),
      runDays: runDays ?? (runDays === null ? null : (former?.runDays ?? null)),
    };
    const others = state.rules.filter((one) => one !== former);
    return service.put(path, { rules: [...others, rule] }, retentionStateSchema);
  },
  text: retentionText,
});

/** `assay account`. */
export const accountCommands = [exportAll, retention, remove];
