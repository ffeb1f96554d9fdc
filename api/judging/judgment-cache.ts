import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Route } from "#shared/contracts/judge.ts";
import type { ObjectStore } from "../platform/ports.ts";

/** A judgment that was given before, and by which model. */
interface KeptJudgment {
  judge: string;
  judgment: Json;
}

/** Judgments by `judgmentKey`, which is the hash of all that they depend on. */
type KeptJudgments = Record<string, KeptJudgment>;

/** What an answer's judgments lie together by, whatever dataset it belongs to. */
export interface AnswerParts {
  suite: string;
  about: Json;
  answer: Json;
}

/** The judgments of one answer that are kept, and those that are to be. */
export interface JudgmentCache {
  find(route: Route, key: string): Promise<KeptJudgment | null>;
  add(route: Route, key: string, judgment: KeptJudgment): void;
  /** Keeps what was added. */
  keep(): Promise<void>;
}

/**
 * Judgments of one answer by one judge lie in one object: as many reads and writes an answer as it has
 * judges, and none that judge at once write over each other.
 */
export function judgmentCache(objects: ObjectStore, parts: AnswerParts): JudgmentCache {
  const loaded = new Map<string, Promise<KeptJudgments>>();
  const added = new Map<string, KeptJudgments>();
  const objectKey = ({ provider, model }: Route) =>
    `judgments/${contentHash({ ...parts, provider, model })}.json`;
  const load = (object: string) => {
    const kept =
      loaded.get(object) ?? objects.get<KeptJudgments>(object).then((value) => value ?? {});
    loaded.set(object, kept);
    return kept;
  };
  return {
    find: async (route, key) => (await load(objectKey(route)))[key] ?? null,
    add(route, key, judgment) {
      const object = objectKey(route);
      added.set(object, { ...added.get(object), [key]: judgment });
    },
    async keep() {
      for (const [object, judgments] of added) {
        // The first judgment of a key stays: runs that used it show it.
        await objects.update<KeptJudgments>(object, (kept) => ({ ...judgments, ...kept }));
      }
    },
  };
}
