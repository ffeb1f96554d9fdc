import { Readable } from "node:stream";
import { z } from "zod";
import { type AuditEntry, auditEntrySchema } from "#shared/contracts/operator/audit.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { printStream } from "../files/output-file.ts";
import { printable, textTable } from "../terminal/text.ts";
import { keyVariable, serviceFlags, serviceOf } from "./service-flags.ts";

/** The service's maximum per page. */
const SHOWN = "200";

const page = z.object({ entries: z.array(auditEntrySchema) });
const shown = jsonFlag(page);

/** `assay audit`. */
export const auditCommand = command({
  name: "audit",
  summary: "print the audit log of a service",
  description: [
    `Prints the newest ${SHOWN} actions of admins, and changes of rights and visibility by anyone. With --format, prints all of them as CSV or JSON Lines.`,
  ],
  flags: {
    actor: valueFlag("OWNER", "Only actions of this account"),
    target: valueFlag("ID", "Only actions on this run, key or account"),
    since: valueFlag("TIME", "Only actions from this time on, such as 2027-01-31T00:00:00Z"),
    format: valueFlag("FORMAT", "Export all of them", { choices: ["csv", "jsonl"] }),
    ...serviceFlags,
    json: shown,
  },
  environment: keyVariable,
  notes: ["Needs a key with the scope admin, such as OPERATOR_SECRET of the deployment."],
  examples: [
    "assay audit --target run_01a2b3c4",
    "assay audit --since 2027-01-01T00:00:00Z --format csv > audit.csv",
  ],
  async run({ actor, target, since, format, ...values }, _, { stdout }) {
    const service = serviceOf(values, "admin");
    const given = Object.entries({ actor, target, since }).filter(([, value]) => value);
    const query = new URLSearchParams(given as [string, string][]);
    if (format !== undefined) {
      const body = await service.download(`/v1/operator/audit.${format}?${query}`);
      return printStream(Readable.fromWeb(body as never), stdout);
    }
    query.set("limit", SHOWN);
    const value = await service.get(`/v1/operator/audit?${query}`, page);
    stdout.write(`${values.json ? shown.text(value) : auditText(value.entries)}\n`);
  },
});

const head = ["time", "actor", "action", "target", "reason", "before", "after"];

function auditText(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ at, actor, action, target, reason, before, after, status }) => [
    at.slice(0, "2026-01-01T00:00:00".length),
    actor,
    status < 500 ? action : `${action} (failed)`,
    target,
    reason ?? "",
    stateText(before),
    stateText(after),
  ]);
  return textTable([head, ...rows], () => true)
    .map(printable)
    .join("\n");
}

const stateText = (state: AuditEntry["before"]): string =>
  state === null ? "" : JSON.stringify(state);
