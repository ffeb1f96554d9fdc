/** Functions that free caches of this isolate. */
const freed: (() => void)[] = [];

/**
 * Registers a function that frees memory before work that needs all of it. For caches that last as long as the isolate.
 */
export const beforeLargeWork = (free: () => void): void => void freed.push(free);

/** Frees all caches before large work. */
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
