import { KEYS_PATH, type SignedStatement } from "#shared/contracts/result-statement.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { statementKey } from "../runs/run-objects.ts";
import { resultStatement, statementText } from "./result-statement.ts";
import { statementFacts } from "./statement-facts.ts";

type Vouched = Pick<SignedStatement, "statement" | "signature" | "keyId">;

/**
 * The statement of a finished run, signed once and kept: a key that comes later signs nothing anew. Without a
 * key it is as it would be signed.
 */
export async function signedStatement(ports: Ports, run: RunRecord): Promise<SignedStatement> {
  const kept = await ports.objects.get<Vouched>(statementKey(run));
  if (kept !== null) return { ...kept, keys: KEYS_PATH, note: null };
  const statement = resultStatement(run, await statementFacts(ports, run));
  const signed = await ports.signer.sign(statementText(statement));
  if (signed !== null) {
    const vouched: Vouched = { statement, ...signed };
    const isFirst = await ports.objects.putOnce(statementKey(run), JSON.stringify(vouched));
    const first = isFirst ? null : await ports.objects.get<Vouched>(statementKey(run));
    return { ...(first ?? vouched), keys: KEYS_PATH, note: null };
  }
  return { statement, signature: null, keyId: null, keys: KEYS_PATH, note: UNSIGNED };
}

const UNSIGNED =
  "this deployment has no signing key and signs nothing: its numbers can be worked out anew, but nothing says who published them";
