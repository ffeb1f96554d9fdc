import type { Account } from "../account.ts";

/** The data side of the stand-in: SQL, objects and running Workers. */
export interface DataPlane {
  /** Called when the running Workers change. The next request then restarts the runtime, which takes seconds. */
  changed(): void;
  query(databaseId: string, sql: string, params: unknown[]): Promise<unknown[]>;
  getObject(bucket: string, key: string): Promise<Uint8Array | null>;
  putObject(bucket: string, key: string, content: Uint8Array): Promise<void>;
  deleteObject(bucket: string, key: string): Promise<void>;
  /** One page of the keys with `prefix`, and of the folders: distinct parts up to the next `delimiter` after it. */
  listObjects(
    bucket: string,
    options: { prefix: string; delimiter?: string; cursor?: string },
  ): Promise<{ keys: string[]; folders: string[]; cursor: string | null }>;
}

/** Permissions of a token, with their names in the dashboard. */
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
  /** Called before each request is answered; may return the answer. */
  intercept?: (call: string) => Response | undefined;
  /** Called for requests that the stand-in does not implement. */
  onUnknown?: (call: string) => void;
}

/** Options of the routes of one kind of resource. */
export type Resources = Pick<ControlPlaneOptions, "account" | "data">;
