import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { ObjectStore } from "../ports.ts";

/** A judgment that was given before, and by which model. */
interface KeptJudgment {
  judge: string;
  judgment: Json;
}

/** Judgments of one answer by `judgmentKey`, which is the hash of all that they depend on. */
export type KeptJudgments = Record<string, KeptJudgment>;

/** Judgments of one answer to one sample lie in one object: a read and a write an answer. */
const objectKey = (parts: { suite: string; sample: string; answer: Json }): string =>
  `judgments/${contentHash(parts)}.json`;

/** Where judgments of an answer are kept, and those that are. */
export async function keptJudgments(
  objects: ObjectStore,
  parts: { suite: string; sample: string; answer: Json },
): Promise<{ kept: KeptJudgments; keep: (judgments: KeptJudgments) => Promise<void> }> {
  const key = objectKey(parts);
  const kept = (await objects.get<KeptJudgments>(key)) ?? {};
  // Two runs that judge the same answer at once may each forget what the other kept: it is asked again.
  return { kept, keep: (judgments) => objects.put(key, { ...kept, ...judgments }) };
}
