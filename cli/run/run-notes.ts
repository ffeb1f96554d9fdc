import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Plan, SubmissionInput } from "../config/plan.ts";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { ownerFolder, writeOwnerFile } from "../files/owner-only.ts";
import { stateFolder } from "../local/state-folder.ts";
import { isThisMachine, LOCAL_SERVICE } from "../remote/service-access.ts";

const noteSchema = z.object({
  /** The idempotency key of the submission. */
  key: z.string(),
  service: z.string(),
  /** Hash of the submission, without keys of endpoints and the cost limit. */
  requestHash: z.string(),
  /** Null until the reply to the submission arrives. */
  submission: z.string().nullable(),
  at: z.iso.datetime(),
  /** Whether the run was followed to its end. */
  isDone: z.boolean(),
  /** Port and token of the relay to local programs; missing without programs. */
  relay: z
    .object({
      port: z.int(),
      token: z.string(),
      /** Hash of the original request, before it was adapted to the service. */
      asked: z.string(),
    })
    .optional(),
});
/** The note on a run started by this command. Contains no keys of remote endpoints. */
export type RunNote = z.infer<typeof noteSchema>;

/** Maximum stored notes; older ones are deleted. */
const MOST_NOTES = 100;

/** A note for a submission that is about to be sent. */
export function newNote(
  origin: string,
  request: SubmissionInput,
  relay: RunNote["relay"] = undefined,
): RunNote {
  const note = {
    key: randomUUID(),
    service: serviceName(origin),
    requestHash: hashOf(request),
    submission: null,
    at: new Date().toISOString(),
    isDone: false,
    ...(relay && { relay }),
  };
  saveNote(note);
  return note;
}

/** Origin in notes; a local service is the same on any port. */
const serviceName = (origin: string): string =>
  isThisMachine(new URL(origin).hostname) ? "this machine" : origin;

/** Hash of a plan's request, without keys of endpoints and the cost limit. */
export const askedHash = ({ request, source }: Pick<Plan, "request" | "source">): string =>
  contentHash({ request: hashOf(request), source } as unknown as Json);

/** The cost limit may be raised before a paused run continues. */
const hashOf = (request: SubmissionInput): string =>
  contentHash({ ...request, options: { ...request.options, maxCostUsd: null } } as unknown as Json);

/** Writes a note, and replaces an earlier note on the submission. */
export function saveNote(note: RunNote): void {
  const path = join(folder(), `${note.key}.json`);
  try {
    ownerFolder(folder());
    writeOwnerFile(`${path}.part`, `${JSON.stringify(note)}\n`);
    renameSync(`${path}.part`, path);
  } catch (error) {
    throw fileProblem(path, error);
  }
  for (const old of allNotes().slice(MOST_NOTES)) {
    rmSync(join(folder(), `${old.key}.json`), { force: true });
  }
}

const folder = () => join(stateFolder(), "cli");

function allNotes(): RunNote[] {
  const notes = names().flatMap((name) => readNote(join(folder(), name)) ?? []);
  return notes.sort((a, b) => (a.at < b.at ? 1 : -1));
}

function names(): string[] {
  try {
    return readdirSync(folder()).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

/** Reads a note; null if the file is not a note, or another command just removed it. */
function readNote(path: string): RunNote | null {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** Deletes the note on a refused submission. */
export const dropNote = ({ key }: RunNote): void =>
  rmSync(join(folder(), `${key}.json`), { force: true });

/** Notes on submissions to a service, the newest first; only on `request`, if given. */
export function notesOf(origin: string, request: SubmissionInput | null): RunNote[] {
  const wanted = request && hashOf(request);
  return allNotes().filter(
    ({ service, requestHash }) =>
      service === serviceName(origin) && (wanted === null || requestHash === wanted),
  );
}

/**
 * The relay of the run to continue; null if no run of this plan is known. `which`: its submission; default: the newest.
 * Throws BadInput if the run uses other programs.
 */
export function relayOf(which: string | null, plan: Plan): NonNullable<RunNote["relay"]> | null {
  const asked = askedHash(plan);
  const own = notesOf(LOCAL_SERVICE, null).filter(({ relay }) => relay?.asked === asked);
  const known = which === null ? own[0] : own.find(({ submission }) => submission === which);
  if (which === null || known !== undefined) return known?.relay ?? null;
  throw new BadInput(
    `${which} is no submission with these programs: repeat its --config or flags, with the id of the submission or --resume alone`,
  );
}
