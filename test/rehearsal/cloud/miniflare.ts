import { createRequire } from "node:module";
import { join } from "node:path";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import { root } from "../../../cli/local/root.ts";
import type { Deliver } from "./queue-broker.ts";

export interface Miniflare {
  ready: Promise<URL>;
  setOptions(options: unknown): Promise<void>;
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  getWorker(name: string): Promise<{
    fetch(url: string, init: RequestInit): Promise<Response>;
    scheduled(options: { cron: string; scheduledTime: Date }): Promise<unknown>;
    queue: (queue: string, messages: unknown[]) => ReturnType<Deliver>;
  }>;
  getD1Database(binding: string, worker: string): Promise<D1Database>;
  getR2Bucket(binding: string, worker: string): Promise<R2Bucket>;
  getInspectorURL(): Promise<URL>;
  dispose(): Promise<void>;
}

interface MiniflareModule {
  Miniflare: new (options: unknown) => Miniflare;
  convertV4MiniflareOptions(options: unknown): unknown;
  Log: new (level: number) => object;
  Response: typeof Response;
}

let loaded: MiniflareModule | null = null;
/** The local runtime, in wrangler's own version. */
export function miniflare(): MiniflareModule {
  loaded ??= createRequire(join(root, "node_modules", "wrangler", "package.json"))(
    "miniflare",
  ) as MiniflareModule;
  return loaded;
}
