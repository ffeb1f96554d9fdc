import {
  accountQuotasSchema,
  type Quotas,
  quotasSchema,
  usageSchema,
} from "#shared/contracts/keys/usage.ts";
import { usageRows } from "#shared/measures/usage-rows.ts";
import { valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { printable, textTable } from "../terminal/text.ts";
import { serviceCommand } from "./service-flags.ts";

const names = Object.keys(quotasSchema.shape);

/** `assay usage`. */
export const usageCommand = serviceCommand({
  name: "usage",
  summary: "show what your account uses of its quotas",
  description: ["Shows what the account of the key uses of its quotas, and when they are reset."],
  scope: "submit",
  result: usageSchema,
  call: (service) => service.get("/v1/usage", usageSchema),
  text(value) {
    const rows = usageRows(value).map((row) => Object.values(row));
    const head = ["quota", "used", "allowed", "begins again"];
    const isRight = (column: number) => column === 1 || column === 2;
    const table = textTable([head, ...rows], (column) => !isRight(column));
    const shared = value.sharedWith.length === 0 ? [] : [`shared with ${value.sharedWith}`];
    return [`account ${value.owner}`, ...table, ...shared].map(printable).join("\n");
  },
});

/** `assay quotas`. */
export const quotasCommand = serviceCommand({
  name: "quotas",
  summary: "show or set the quotas of one account",
  description: [
    "Shows the quotas that are set for an account in place of the defaults of the service. With --set, replaces them: quotas that are not named return to the default.",
  ],
  positionals: [{ name: "owner", help: "Name of the account" }],
  flags: {
    set: valueFlag("NAME=VALUE", "A quota of the account; none: no limit", { multiple: true }),
    clear: { type: "boolean", help: "Reset the account to the default quotas of the service" },
    reason: valueFlag("TEXT", "Reason, for the audit log"),
  },
  notes: [
    `Quotas: ${names.join(", ")}.`,
    "Needs a key with the scope admin, such as OPERATOR_SECRET of the deployment.",
  ],
  examples: ["assay quotas acme --set dailySamples=50000 --set dailyJudgeUsd=20 --reason partner"],
  scope: "admin",
  result: accountQuotasSchema,
  call(service, values, [owner]) {
    const path = `/v1/operator/accounts/${encodeURIComponent(owner)}/quotas`;
    const isSetting = values.clear === true || (values.set ?? []).length > 0;
    const query =
      values.reason === undefined ? "" : `?${new URLSearchParams({ reason: values.reason })}`;
    return isSetting
      ? service.put(`${path}${query}`, quotasIn(values.set ?? []), accountQuotasSchema)
      : service.get(path, accountQuotasSchema);
  },
  text({ owner, quotas }) {
    const limits = Object.entries(quotas).map(([name, most]) => `${name}: ${most ?? "no limit"}`);
    return printable(`${owner}: ${limits.join(", ") || "the quotas of the service"}`);
  },
});

function quotasIn(given: readonly string[]): Quotas {
  const entries = given.map((text) => {
    const [name = "", most = ""] = text.split("=");
    return [name, most === "none" ? null : Number(most || Number.NaN)] as const;
  });
  const read = quotasSchema.safeParse(Object.fromEntries(entries));
  if (read.success) return read.data;
  throw new BadInput(
    `--set takes NAME=VALUE with a name of ${names.join(", ")}, and a number or none`,
  );
}
