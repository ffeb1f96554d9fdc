import type { Account } from "../account.ts";

/** What the stand-in does where data are: it runs SQL, keeps objects, and boots what is uploaded. */
export interface DataPlane {
  /** Told of anything that changes what runs: the next request starts the runtime again, which takes seconds. */
  changed(): void;
  query(databaseId: string, sql: string, params: unknown[]): Promise<unknown[]>;
  getObject(bucket: string, key: string): Promise<Uint8Array | null>;
  putObject(bucket: string, key: string, content: Uint8Array): Promise<void>;
  deleteObject(bucket: string, key: string): Promise<void>;
  /** Keys that begin with `prefix`, and what is up to the next `delimiter` after it, each once; a page at a time. */
  listObjects(
    bucket: string,
    options: { prefix: string; delimiter?: string; cursor?: string },
  ): Promise<{ keys: string[]; folders: string[]; cursor: string | null }>;
}

/** What a token may do, by the names that the dashboard gives its permissions. */
export type Permission =
  | "Workers Scripts"
  | "D1"
  | "Workers R2 Storage"
  | "Queues"
  | "Account Settings";

export interface ControlPlaneOptions {
  account: Account;
  token: string;
  permissions: ReadonlySet<Permission>;
  data: DataPlane;
  /** Called with each request before it is answered; what it gives is the answer. */
  intercept?: (call: string) => Response | undefined;
  /** Hears of calls that it does not know. */
  onUnknown?: (call: string) => void;
}

/** What the routes of one kind of resource need. */
export type Resources = Pick<ControlPlaneOptions, "account" | "data">;
