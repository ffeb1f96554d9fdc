import { randomUUID } from "node:crypto";

/** A Worker as it was uploaded last, and its settings. */
export interface Script {
  name: string;
  tag: string;
  version: string;
  /** The uploaded form's part "metadata": main module, bindings, compatibility date, limits. */
  metadata: ScriptMetadata;
  modules: { name: string; type: string; content: Uint8Array }[];
  /** Static files by path; null where it has none. */
  assets: Map<string, StoredAsset> | null;
  secrets: Map<string, string>;
  crons: string[];
  isOnSubdomain: boolean;
  domains: string[];
}

export interface ScriptMetadata {
  main_module?: string;
  bindings?: ScriptBinding[];
  compatibility_date?: string;
  compatibility_flags?: string[];
  limits?: { cpu_ms?: number; subrequests?: number };
  placement?: Record<string, unknown>;
  cache_options?: { enabled: boolean; cross_version_cache?: boolean };
  keep_bindings?: string[];
  assets?: { jwt: string; config?: Record<string, unknown> };
}

export interface ScriptBinding extends Record<string, unknown> {
  type: string;
  name: string;
}

interface StoredAsset {
  hash: string;
  content: Uint8Array;
  type: string;
}

interface Database {
  uuid: string;
  name: string;
  /** Where it was to be made; null: wherever is near. */
  location: string | null;
}

interface Queue {
  id: string;
  name: string;
  consumer: QueueConsumer | null;
}

export interface QueueConsumer {
  id: string;
  script: string;
  deadLetterQueue: string | null;
  settings: Record<string, unknown>;
}

/** What an account may and has: everything that a deployment finds there. */
export interface Account {
  id: string;
  name: string;
  plan: "free" | "paid";
  hasR2: boolean;
  /** The account's part of addresses on workers.dev; null: not chosen yet. */
  subdomain: string | null;
  databases: Map<string, Database>;
  /** Where each was to be made; null: wherever is near. */
  buckets: Map<string, string | null>;
  queues: Map<string, Queue>;
  scripts: Map<string, Script>;
  /** Uploaded files by hash, whichever Worker they were uploaded for. */
  assets: Map<string, StoredAsset>;
}

/** An account with nothing in it. */
export const newAccount = (its: Partial<Account> = {}): Account => ({
  id: randomUUID().replaceAll("-", ""),
  name: "Rehearsal",
  plan: "paid",
  hasR2: true,
  subdomain: "rehearsal",
  databases: new Map(),
  buckets: new Map(),
  queues: new Map(),
  scripts: new Map(),
  assets: new Map(),
  ...its,
});
