import { readFileSync } from "node:fs";
import {
  publicKeysSchema,
  type SignedStatement,
  signedStatementSchema,
} from "#shared/contracts/result-statement.ts";
import { BadInput } from "../bad-input.ts";
import { firstProblem } from "../score/first-problem.ts";
import { fileProblem } from "../score/open-file.ts";
import type { TrustedKeys } from "./check-signature.ts";

/** A statement as this version reads it, and as it stands in its file. */
export interface ReadStatement {
  signed: SignedStatement;
  document: unknown;
}

/** Reads a statement as `GET /v1/runs/{id}/statement` gives it. Throws BadInput where the file holds none. */
export function readStatement(path: string): ReadStatement {
  const document = readJson(path);
  const read = signedStatementSchema.safeParse(document);
  if (read.success) return { signed: read.data, document };
  const known = Object.keys(signedStatementSchema.shape);
  const problem = firstProblem(read.error.issues, document, known, "the file");
  throw new BadInput(`${path}: it is no statement of a result: ${problem}`);
}

/** Reads public keys as `/.well-known/assay-keys.json` has them. Throws BadInput where the file holds none. */
export function readKeys(path: string): TrustedKeys {
  const read = publicKeysSchema.safeParse(readJson(path));
  if (read.success) return { keys: read.data.keys, source: path };
  throw new BadInput(
    `${path}: it holds no public keys: save /.well-known/assay-keys.json of the service there`,
  );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadInput(`${path}: it is no JSON`);
    throw fileProblem(path, error);
  }
}
