import { randomUUID } from "node:crypto";

/** The last upload of a Worker, and its settings. */
export interface Script {
  name: string;
  tag: string;
  version: string;
  /** The uploaded form's part "metadata": main module, bindings, compatibility date, limits. */
  metadata: ScriptMetadata;
  modules: { name: string; type: string; content: Uint8Array }[];
  /** Static files by path; null if there are none. */
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
  /** The requested location; null: near the caller. */
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

/** The state of an account: its plan and its resources. */
export interface Account {
  id: string;
  name: string;
  plan: "free" | "paid";
  hasR2: boolean;
  /** The account's subdomain of workers.dev; null: not chosen yet. */
  subdomain: string | null;
  databases: Map<string, Database>;
  /** Requested location by bucket; null: near the caller. */
  buckets: Map<string, string | null>;
  queues: Map<string, Queue>;
  scripts: Map<string, Script>;
  /** Uploaded files of all Workers by hash. */
  assets: Map<string, StoredAsset>;
}

/** An empty account, changed by `more`. */
export const newAccount = (more: Partial<Account> = {}): Account => ({
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
  ...more,
});
