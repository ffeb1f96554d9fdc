import { z } from "zod";
import { type Visibility, visibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import { newShareSchema, type Share, shareSchema } from "#shared/contracts/keys/share.ts";
import { runSchema } from "#shared/contracts/run.ts";
import {
  type VisibilityChange,
  visibilityChangeSchema,
} from "#shared/contracts/submissions/run-requests.ts";
import { command, jsonFlag, type Values, valueFlag } from "../command-line/command.ts";
import { suiteIds } from "../command-line/suite-choice.ts";
import { BadInput } from "../errors.ts";
import { everyPage } from "../remote/service-client.ts";
import { keyVariable, serviceCommand, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { printable, textTable } from "../terminal/text.ts";

const run = { name: "run", help: "Id of the run" } as const;
const scope = "submit";
const LINKS = "/v1/shares";
const sharesOf = (id: string) => `/v1/runs/${encodeURIComponent(id)}/shares`;
const linkSchema = newShareSchema.partial({ badge: true });

const shareFlags = {
  board: valueFlag("SUITE", "Link to the board of your runs of this suite on a dataset instead", {
    choices: suiteIds,
  }),
  "expires-in-days": valueFlag("N", "Days until the link expires, 1 to 365", { default: "30" }),
  badge: {
    type: "boolean",
    help: "Print the address of an image with the run's score instead of a link, for your own page",
  },
  metric: valueFlag(
    "METRIC",
    "Id of the metric that the badge shows; by default the run's headline",
  ),
  note: valueFlag("TEXT", "Note to yourself, such as who has the link"),
  with: valueFlag("RUN", "Another run that the link opens, for comparison", { multiple: true }),
  ...serviceFlags,
  json: jsonFlag(linkSchema),
} as const;

const create = command({
  name: "share",
  summary: "make a link that opens a private run, board, parity or study of judgings",
  description: [
    "Prints a link that lets others read a private result of your account until the link expires or is revoked. The link is shown only once. A link to a run opens its report, samples and exports. A link to a board opens the current figures of all your runs on a dataset, but not their reports.",
  ],
  positionals: [
    {
      name: "target",
      help: "Id of a run; OWNER/NAME of a parity; ids of submissions that judged the same answers again; with --board, a dataset",
      many: true,
    },
  ],
  flags: shareFlags,
  environment: keyVariable,
  examples: [
    "assay share run_01a2b3c4 --expires-in-days 7 --note 'review board'",
    "assay share acme/tickets --board extraction",
    "assay share acme/extract-7b-hosts",
  ],
  async run(values, targets, { stdout }) {
    const { "expires-in-days": days = "30", note } = values;
    if (!/^[1-9]\d*$/.test(days)) {
      throw new BadInput(`--expires-in-days must be a whole number from 1, not "${days}"`);
    }
    const { path, thing } = sharedThing(targets, values);
    if (values.badge && path === LINKS) throw new BadInput("--badge applies only to a run");
    if (values.metric !== undefined && !values.badge) throw new BadInput("--metric needs --badge");
    const service = serviceOf(values, scope);
    const body = {
      expiresInDays: Number(days),
      ...(note && { note }),
      ...(values.metric !== undefined && { metric: values.metric }),
      ...thing,
    };
    const value = await service.post(path, body, linkSchema);
    const text = `${service.origin}${values.badge ? value.badge : value.link}`;
    stdout.write(`${values.json ? shareFlags.json.text(value) : printable(text)}\n`);
  },
});

/** The target of a link: path and body of the request that creates it. */
function sharedThing(
  targets: readonly string[],
  { board: suite, with: others = [] }: Pick<Values<typeof shareFlags>, "board" | "with">,
): { path: string; thing: object } {
  const [target = "", second] = targets;
  const isRun = suite === undefined && second === undefined && !target.includes("/");
  if (isRun && target.startsWith("sub_")) {
    throw new BadInput("give at least two submissions, which judged the same answers");
  }
  if (isRun) return { path: sharesOf(target), thing: { with: others } };
  if (others.length > 0) throw new BadInput("--with applies only to a run");
  if (suite !== undefined && second === undefined) {
    return { path: LINKS, thing: { board: { suite, dataset: target } } };
  }
  if (second === undefined) return { path: LINKS, thing: { parity: target } };
  const other = targets.find((id) => !id.startsWith("sub_"));
  if (other === undefined) return { path: LINKS, thing: { judgings: targets } };
  throw new BadInput(`give one run or parity, or several submissions; add runs with --with RUN`);
}

const sharesSchema = z.object({ shares: z.array(shareSchema) });

const list = serviceCommand({
  name: "shares list",
  summary: "list the links of a run, or of your account",
  description: [
    "Lists the links of a run, or all links of your account, newest first, without their tokens.",
  ],
  positionals: [{ ...run, optional: true }],
  flags: { owner: valueFlag("NAME", "List the links of this organisation; you must be its admin") },
  scope,
  result: sharesSchema,
  async call(service, values, [id]) {
    if (id !== undefined && values.owner !== undefined) {
      throw new BadInput("give a run, or --owner, not both");
    }
    const query =
      values.owner === undefined ? "" : `?${new URLSearchParams({ owner: values.owner })}`;
    if (id !== undefined) return { shares: (await service.get(sharesOf(id), sharesSchema)).shares };
    return { shares: await everyPage(service, `${LINKS}${query}`, "shares", shareSchema) };
  },
  text: ({ shares }) => sharesText(shares),
});

const revoke = serviceCommand({
  name: "shares revoke",
  summary: "revoke a link",
  description: ["Revokes a link. It no longer opens anything."],
  positionals: [
    {
      name: "id",
      help: "Id of the link; assay shares list prints the ids. Admins revoke a link to a run of another account with RUN ID",
      many: true,
    },
  ],
  examples: ["assay shares revoke share_05d6e7f8"],
  scope,
  result: shareSchema,
  async call(service, _, ids) {
    const [link = "", ofRun] = ids.toReversed();
    if (ids.length > 2 || ofRun?.startsWith("share_")) {
      throw new BadInput(
        "give the id of one link; admins give RUN LINK for a link to another account's run",
      );
    }
    const path = `${ofRun === undefined ? LINKS : sharesOf(ofRun)}/${encodeURIComponent(link)}`;
    return service.delete(path, shareSchema);
  },
  text: (share) => sharesText([share]),
});

const visibility = serviceCommand({
  name: "visibility",
  summary: "make a run public, unlisted or private",
  description: [
    "Shows what others would see of your run; with --yes, changes its visibility. A private run leaves boards, badges, lists and exports at once, and the site with its next build.",
  ],
  positionals: [run, { name: "level", help: visibilitySchema.options.join(", ") }],
  flags: {
    yes: { type: "boolean", help: "Change it; without this flag, only show what others would see" },
  },
  examples: ["assay visibility run_01a2b3c4 public", "assay visibility run_01a2b3c4 private --yes"],
  scope,
  result: z.union([runSchema, visibilityChangeSchema]),
  call(service, values, [id, level]) {
    const body = { visibility: visibilityLevel(level) };
    const path = `/v1/runs/${encodeURIComponent(id)}`;
    return values.yes
      ? service.patch(path, body, runSchema)
      : service.patch(`${path}?dryRun=true`, body, visibilityChangeSchema);
  },
  text: (found) =>
    "hides" in found
      ? plannedText(found.run, found.from, found)
      : printable(`${found.id} is ${found.visibility}`),
});

/** Parses a visibility from an argument. */
export function visibilityLevel(level: string): Visibility {
  const { options } = visibilitySchema;
  const to = options.find((one) => one === level);
  if (to !== undefined) return to;
  throw new BadInput(`the level must be ${options.join(", ")}; not "${level}"`);
}

/** The effect of a planned change of visibility. */
export const plannedText = (
  name: string,
  from: string,
  { to, shows, hides }: Pick<VisibilityChange, "to" | "shows" | "hides">,
): string => {
  if (from === to) return printable(`${name} is ${to} already`);
  return [
    `${name} is ${from}. Made ${to}, it`,
    ...shows.map((what) => `  shows ${what}`),
    ...hides.map((what) => `  leaves ${what}`),
    "Nothing was changed: add --yes",
  ]
    .map(printable)
    .join("\n");
};

/** `assay share` and `assay visibility`. */
export const shareCommands = [create, list, revoke, visibility];

const head = ["id", "opens", "created", "by", "expires", "note"];

function sharesText(shares: readonly Share[]): string {
  const rows = shares.map(({ id, createdAt, createdBy, expiresAt, revokedAt, note, ...opened }) => [
    id,
    openedText(opened),
    createdAt.slice(0, 10),
    createdBy ?? "",
    revokedAt === null ? expiresAt.slice(0, 10) : `revoked ${revokedAt.slice(0, 10)}`,
    note ?? "",
  ]);
  return textTable([head, ...rows], () => true)
    .map(printable)
    .join("\n");
}

function openedText({ runs, opens }: Pick<Share, "runs" | "opens">): string {
  if (opens === null) return runs.join(", ");
  if ("board" in opens) return `board of ${opens.board.suite}, ${opens.board.dataset}`;
  return "parity" in opens ? `parity ${opens.parity}` : `judgings ${opens.judgings.join(", ")}`;
}
