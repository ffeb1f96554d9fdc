import {
  publicKeysSchema,
  type SignedStatement,
  signedStatementSchema,
} from "#shared/contracts/boards/result-statement.ts";
import { BadInput } from "../errors.ts";
import { readJson } from "../files/open-file.ts";
import { schemaProblem } from "../score/schema-problem.ts";
import type { TrustedKeys } from "./check-signature.ts";

/** A statement, parsed and as the bytes of its file. */
export interface ReadStatement {
  signed: SignedStatement;
  document: unknown;
}

/** Reads a statement in the format of `GET /v1/runs/{id}/statement`. Throws BadInput if the file is not one. */
export function readStatement(path: string): ReadStatement {
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
