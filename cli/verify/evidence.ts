import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  KEYS_PATH,
  publicKeysSchema,
  type SignedStatement,
  signedStatementSchema,
} from "#shared/contracts/boards/result-statement.ts";
import { BadInput } from "../errors.ts";
import { fileProblem, readJson } from "../files/open-file.ts";
import { saveStream } from "../files/output-file.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { schemaProblem } from "../score/schema-problem.ts";
import type { TrustedKeys } from "./check-signature.ts";

/** Names of the files of a folder. */
const NAMES = {
  statement: "statement.json",
  keys: "keys.json",
  dataset: "dataset.jsonl",
  answers: "answers.jsonl",
} as const;

/** A file, or why it is missing. */
export type Part = { path: string } | { missing: string };

/** A statement with its evidence. */
export interface Evidence extends ReadStatement {
  dataset: Part;
  answers: Part;
  /** Deletes files that were downloaded only for the check. */
  dispose(): void;
}

/**
 * The evidence of a run's id, a statement's file or a folder: samples and answers from the folder, else from the
 * service. `save`: folder in which everything is stored, with the service's keys. Throws BadInput without a statement.
 */
export async function evidenceOf(
  target: string,
  service: () => ServiceClient,
  save: string | null,
): Promise<Evidence> {
  if (existsSync(target) && statSync(target).isDirectory()) {
    if (save !== null) throw new BadInput(`${target} is already a folder; leave --save out`);
    return inFolder(target);
  }
  const folder = save ?? mkdtempSync(join(tmpdir(), "assay-verify-"));
  const dispose = () => {
    if (save === null) rmSync(folder, { recursive: true, force: true });
  };
  try {
    makeFolder(folder);
    return { ...(await downloaded(target, folder, service())), dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

function inFolder(folder: string): Evidence {
  const partOf = (name: string): Part => {
    const path = join(folder, name);
    return existsSync(path) ? { path } : { missing: `${path}: there is no such file` };
  };
  return {
    ...readStatement(join(folder, NAMES.statement)),
    dataset: partOf(NAMES.dataset),
    answers: partOf(NAMES.answers),
    dispose: () => {},
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw fileProblem(folder, error);
  }
}

async function downloaded(target: string, folder: string, service: ServiceClient) {
  const save = async (path: string, name: string) => {
    const body = await service.download(path);
    const to = join(folder, name);
    await saveStream(Readable.fromWeb(body as never), to);
    return to;
  };
  const part = async (path: string, name: string): Promise<Part> => {
    try {
      return { path: await save(path, name) };
    } catch (error) {
      if (error instanceof ServiceError) return { missing: error.message };
      throw error;
    }
  };
  const isFile = existsSync(target);
  const asked = `/v1/runs/${encodeURIComponent(target)}/statement`;
  const read = readStatement(isFile ? target : await save(asked, NAMES.statement));
  const { run, suite, dataset } = read.signed.statement;
  const reference = `${dataset.name}@${dataset.version}`;
  const query = new URLSearchParams({ suite: suite.id, dataset: reference });
  await part(KEYS_PATH, NAMES.keys);
  return {
    ...read,
    dataset: await part(`/v1/dataset.jsonl?${query}`, NAMES.dataset),
    answers: await part(
      `/v1/runs/${encodeURIComponent(run)}/answers.jsonl?whole=true`,
      NAMES.answers,
    ),
  };
}

/** A statement, parsed and as bytes. */
interface ReadStatement {
  signed: SignedStatement;
  document: unknown;
}

/** Reads a statement in the format of `GET /v1/runs/{id}/statement`. Throws BadInput if the file is not one. */
function readStatement(path: string): ReadStatement {
  const document = readJson(path);
  const read = signedStatementSchema.safeParse(document);
  if (read.success) return { signed: read.data, document };
  const known = Object.keys(signedStatementSchema.shape);
  const problem = schemaProblem(read.error.issues, document, known, "the file");
  throw new BadInput(`${path}: not a signed statement: ${problem}`);
}

/** Reads public keys in the format of `/.well-known/assay-keys.json`. Throws BadInput if the file has none. */
export function readKeys(path: string): TrustedKeys {
  const read = publicKeysSchema.safeParse(readJson(path));
  if (read.success) return { keys: read.data.keys, source: path };
  throw new BadInput(
    `${path}: no public keys found: save /.well-known/assay-keys.json of the service there`,
  );
}
