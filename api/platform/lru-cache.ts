/** What frees memory of this isolate that is only kept to save time. */
const freed: (() => void)[] = [];

/**
 * Frees memory before work that needs all of it. For caches that last as long as the isolate.
 * @example beforeLargeWork(() => cache.clear())
 */
export const beforeLargeWork = (free: () => void): void => void freed.push(free);

/** Frees what only saves time, before large work. */
export function freeMemory(): void {
  for (const free of freed) free();
}

/** A map with at most `capacity` entries; the least recently used one is dropped first. */
export function lruCache<T>(capacity: number) {
  const entries = new Map<string, T>();
  const set = (key: string, value: T): void => {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size > capacity) {
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    }
  };
  const get = (key: string): T | undefined => {
    const value = entries.get(key);
    if (value !== undefined) set(key, value);
    return value;
  };
  return { get, set, clear: () => entries.clear() };
}
