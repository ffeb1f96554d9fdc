import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { Route } from "#shared/contracts/judging/judge.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import { accountFolder } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";

/** A stored judgment, and the model that gave it. */
interface KeptJudgment {
  judge: string;
  judgment: Json;
}

/** Judgments by `judgmentKey`, the hash of all their inputs. */
type KeptJudgments = Record<string, KeptJudgment>;

export interface CacheAround extends Pick<Platform, "now" | "sleep"> {
  objects: Pick<ObjectStore, "get" | "update" | "putOnce" | "remove">;
}

export type JudgmentCache = ReturnType<typeof judgmentCache>;

/** Which run is calling the judge, and until when, Unix ms. */
interface Claim {
  run: string;
  until: number;
}

/** Longer than a call with its retries. */
const CLAIM_MS = 180_000;
/** Interval of polling another run's claim. */
const LOOK_MS = 2_000;

const nameOf = ({ provider, model }: Route) => `${provider}:${model}`;

/**
 * Stored judgments of one answer, and new ones to store. One object per judge: reads and writes are proportional to
 * judges, and concurrent judges don't overwrite each other. Judgments are stored per account and deleted with it. A run
 * claims each call of a judge, so that two runs don't pay for the same judgment at once. `answer`: hash of all that its
 * judgments share.
 */
export function judgmentCache(
  { objects, now, sleep }: CacheAround,
  { id: run, owner }: Pick<RunRecord, "id" | "owner">,
  answer: string,
) {
  const loaded = new Map<string, Promise<KeptJudgments>>();
  const added = new Map<string, KeptJudgments>();
  const claims = new Set<string>();
  const objectKey = ({ provider, model }: Route) =>
    `${accountFolder(owner)}judgments/${contentHash({ answer, provider, model })}.json`;
  const load = (object: string) => {
    const kept =
      loaded.get(object) ?? objects.get<KeptJudgments>(object).then((value) => value ?? {});
    loaded.set(object, kept);
    return kept;
  };
  const find = async (route: Route, key: string): Promise<KeptJudgment | null> =>
    (await load(objectKey(route)))[key] ?? null;
  const isClaimed = async (object: string): Promise<boolean> => {
    const own: Claim = { run, until: now() + CLAIM_MS };
    if (await objects.putOnce(object, JSON.stringify(own))) return true;
    const other = await objects.get<Claim>(object);
    if (other !== null && other.run !== run && other.until > now()) return false;
    let isOurs = false;
    // The claim of a crashed run, or our own.
    await objects.update<Claim>(object, (kept) => {
      isOurs = kept === null || kept.run === run || kept.until <= now();
      return kept === null || isOurs ? own : kept;
    });
    return isOurs;
  };
  /** Stores the added judgments and releases the claims. */
  const keep = async (): Promise<void> => {
    for (const [object, judgments] of added) {
      // The first judgment for a key stays, because runs that used it show it.
      await objects.update<KeptJudgments>(object, (kept) => ({ ...judgments, ...kept }));
    }
    added.clear();
    if (claims.size > 0) await objects.remove([...claims]);
    claims.clear();
  };
  return {
    find,
    keep,
    add(route: Route, key: string, judgment: KeptJudgment): void {
      const object = objectKey(route);
      added.set(object, { ...added.get(object), [key]: judgment });
    },
    /** Waits while another run requests this judgment, and returns it; null if this run must request it. */
    async claim(route: Route, key: string): Promise<KeptJudgment | null> {
      const claim = `${accountFolder(owner)}claims/${contentHash({ answer, route: nameOf(route), key })}.json`;
      while (true) {
        const isOurs = await isClaimed(claim);
        if (isOurs) claims.add(claim);
        else {
          // Two runs that wait for each other would never end.
          await keep();
          await sleep(LOOK_MS);
        }
        loaded.delete(objectKey(route));
        const made = await find(route, key);
        if (made !== null || isOurs) return made;
      }
    },
  };
}
