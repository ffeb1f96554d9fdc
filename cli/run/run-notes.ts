import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { SubmissionInput } from "../config/plan.ts";
import { fileProblem } from "../files/open-file.ts";
import { ownerFolder, writeOwnerFile } from "../files/owner-only.ts";
import { stateFolder } from "../local/state-folder.ts";
import { isThisMachine } from "../remote/service-access.ts";

const noteSchema = z.object({
  /** The idempotency key that the submission was sent with. */
  key: z.string(),
  service: z.string(),
  /** Of what was submitted, without keys of endpoints. */
  requestHash: z.string(),
  /** Null: no reply to the submission has come yet. */
  submission: z.string().nullable(),
  at: z.iso.datetime(),
  /** Whether it was followed to its end. */
  isDone: z.boolean(),
});
/** What is written down of a run that this command began; no key of an endpoint is in it. */
export type RunNote = z.infer<typeof noteSchema>;

/** Older ones are forgotten. */
const MOST_NOTES = 100;

/** Writes down that a submission is about to be sent. */
export function newNote(origin: string, request: SubmissionInput): RunNote {
  const note = {
    key: randomUUID(),
    service: serviceName(origin),
    requestHash: hashOf(request),
    submission: null,
    at: new Date().toISOString(),
    isDone: false,
  };
  saveNote(note);
  return note;
}

/** The service of this machine is one, whatever port it has got. */
const serviceName = (origin: string): string =>
  isThisMachine(new URL(origin).hostname) ? "this machine" : origin;

const hashOf = (request: SubmissionInput): string => contentHash(request as unknown as Json);

/** Writes a note, replacing one of the same submission. */
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

/** Null for what is no note, and for what another command has removed just then. */
function readNote(path: string): RunNote | null {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** Forgets what a service refused. */
export const dropNote = ({ key }: RunNote): void =>
  rmSync(join(folder(), `${key}.json`), { force: true });

/** What was begun at a service, the newest first; of one request alone where it is given. */
export function notesOf(origin: string, request: SubmissionInput | null): RunNote[] {
  const wanted = request && hashOf(request);
  return allNotes().filter(
    ({ service, requestHash }) =>
      service === serviceName(origin) && (wanted === null || requestHash === wanted),
  );
}
