import { z } from "zod";
import { visibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import { newShareSchema, type Share, shareSchema } from "#shared/contracts/keys/share.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { visibilityChangeSchema } from "#shared/contracts/submissions/run-requests.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";

const run = { name: "run", help: "Id of the run" } as const;
const environment = keyVariable;
const sharesOf = (id: string) => `/v1/runs/${encodeURIComponent(id)}/shares`;

const shareFlags = {
  "expires-in-days": valueFlag("N", "Days until the link expires, 1 to 365", { default: "30" }),
  badge: {
    type: "boolean",
    help: "Print the address of an image with its score instead, for a page of your own",
  },
  note: valueFlag("TEXT", "For yourself: who has the link"),
  with: valueFlag("RUN", "A further run that it opens, to compare them", { multiple: true }),
  ...serviceFlags,
  json: jsonFlag(newShareSchema),
} as const;

const create = command({
  name: "share",
  summary: "make a link that opens a private run",
  description: [
    "Prints a link with which others read a private run of yours, with report, samples and exports, until it expires or is revoked. It is shown only once.",
  ],
  positionals: [run],
  flags: shareFlags,
  environment,
  examples: ["assay share run_01a2b3c4 --expires-in-days 7 --note 'review board'"],
  async run(values, [id], { stdout }) {
    const { "expires-in-days": days = "30", note, with: others = [] } = values;
    if (!/^[1-9]\d*$/.test(days)) {
      throw new BadInput(`--expires-in-days must be a whole number from 1, not "${days}"`);
    }
    const service = serviceOf(values, "submit");
    const body = { expiresInDays: Number(days), ...(note && { note }), with: others };
    const { value } = await service.post(sharesOf(id), body, newShareSchema);
    const text = `${service.origin}${values.badge ? value.badge : value.link}`;
    stdout.write(`${values.json ? shareFlags.json.text(value) : printable(text)}\n`);
  },
});

const listFlags = { ...serviceFlags, json: jsonFlag(z.object({ shares: z.array(shareSchema) })) };

const list = command({
  name: "shares list",
  summary: "list the links of a run",
  description: ["Lists the links of a run, newest first, without their tokens."],
  positionals: [run],
  flags: listFlags,
  environment,
  async run(values, [id], { stdout }) {
    const { value } = await serviceOf(values, "submit").get(
      sharesOf(id),
      z.object({ shares: z.array(shareSchema) }),
    );
    stdout.write(`${values.json ? listFlags.json.text(value) : sharesText(value.shares)}\n`);
  },
});

const revokeFlags = { ...serviceFlags, json: jsonFlag(shareSchema) };

const revoke = command({
  name: "shares revoke",
  summary: "revoke a link",
  description: ["Revokes a link: it opens nothing any more."],
  positionals: [run, { name: "id", help: "Id of the link; assay shares list prints the ids" }],
  flags: revokeFlags,
  environment,
  examples: ["assay shares revoke run_01a2b3c4 share_05d6e7f8"],
  async run(values, [id, link], { stdout }) {
    const path = `${sharesOf(id)}/${encodeURIComponent(link)}`;
    const { value } = await serviceOf(values, "submit").delete(path, shareSchema);
    stdout.write(`${values.json ? revokeFlags.json.text(value) : sharesText([value])}\n`);
  },
});

const visibilityFlags = {
  yes: { type: "boolean", help: "Change it; without this, only say what would be seen" },
  ...serviceFlags,
  json: jsonFlag(z.union([runSchema, visibilityChangeSchema])),
} as const;

const visibility = command({
  name: "visibility",
  summary: "make a run public, unlisted or private",
  description: [
    "Says what others would see of a run of yours, and with --yes changes it. A private run leaves boards, badges, lists and exports at once, and the site with its next build.",
  ],
  positionals: [run, { name: "level", help: visibilitySchema.options.join(", ") }],
  flags: visibilityFlags,
  environment,
  examples: ["assay visibility run_01a2b3c4 public", "assay visibility run_01a2b3c4 private --yes"],
  async run(values, [id, level], { stdout }) {
    const to = visibilitySchema.safeParse(level);
    if (!to.success) {
      throw new BadInput(
        `the level must be ${visibilitySchema.options.join(", ")}; not "${level}"`,
      );
    }
    const service = serviceOf(values, "submit");
    const path = `/v1/runs/${encodeURIComponent(id)}`;
    const body = { visibility: to.data };
    if (values.yes) {
      const { value } = await service.patch(path, body, runSchema);
      const text = `${id} is ${value.visibility}`;
      return void stdout.write(
        `${values.json ? visibilityFlags.json.text(value) : printable(text)}\n`,
      );
    }
    const { value } = await service.patch(`${path}?dryRun=true`, body, visibilityChangeSchema);
    const lines = [
      `${id} is ${value.from}. Made ${value.to}, it`,
      ...value.shows.map((what) => `  shows ${what}`),
      ...value.hides.map((what) => `  leaves ${what}`),
      "Nothing was changed: add --yes",
    ];
    stdout.write(
      `${values.json ? visibilityFlags.json.text(value) : lines.map(printable).join("\n")}\n`,
    );
  },
});

/** `assay share` and `assay visibility`. */
export const shareCommands = [create, list, revoke, visibility];

const head = ["id", "opens", "created", "expires", "note"];

function sharesText(shares: readonly Share[]): string {
  const rows = shares.map(({ id, runs, createdAt, expiresAt, revokedAt, note }) => [
    id,
    runs.join(", "),
    createdAt.slice(0, 10),
    revokedAt === null ? expiresAt.slice(0, 10) : `revoked ${revokedAt.slice(0, 10)}`,
    note ?? "",
  ]);
  return textTable([head, ...rows], () => true)
    .map(printable)
    .join("\n");
}
