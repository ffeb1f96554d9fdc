import type { Ports, StoredSample } from "../platform/ports.ts";

/** Rows read at once: about what a lane claims. */
const PAGE = 25;
/** Pages and objects kept: units in flight are neighbours, so they share a few. */
const KEPT = 8;

/** Reads the stored answers of a run one by one, as another run scores them anew. */
export function storedReader(ports: Pick<Ports, "runs" | "objects">, runId: string) {
  const pages = keepingLast((page: number) => ports.runs.samples(runId, page * PAGE - 1, PAGE));
  const objects = keepingLast((key: string) => ports.objects.get<StoredSample[]>(key));
  return async (seq: number): Promise<StoredSample> => {
    const rows = await pages(Math.floor(seq / PAGE));
    const row = rows.find((one) => one.seq === seq);
    const stored = row && (await objects(row.object))?.find((sample) => sample.seq === seq);
    if (!stored) throw new Error(`run ${runId} has no answer ${seq} any more`);
    return stored;
  };
}

/** Remembers what was loaded last; what failed to load is loaded again. */
function keepingLast<Key, Value>(load: (key: Key) => Promise<Value>) {
  const kept = new Map<Key, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const value = kept.get(key) ?? load(key);
    kept.delete(key);
    kept.set(key, value);
    value.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
