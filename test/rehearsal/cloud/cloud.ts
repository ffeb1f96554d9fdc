import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { type Account, newAccount } from "./account.ts";
import type { Permission } from "./control/options.ts";
import { controlPlane } from "./control-plane.ts";
import { type Conditions, nearby, UploadedWorkers } from "./data-plane.ts";
import { type Edge, openEdge } from "./edge.ts";

const allPermissions: readonly Permission[] = [
  "Workers Scripts",
  "D1",
  "Workers R2 Storage",
  "Queues",
  "Account Settings",
];

/** Changes to the default account and token. */
export interface CloudOptions {
  account?: Partial<Account>;
  without?: readonly Permission[];
  /** Names of the deployments whose hosts resolve; `origin` is that of the first. */
  names: readonly string[];
  /** Domains of the account. */
  domains?: readonly string[];
  /** Further hosts that the edge serves; `workers.outside` answers their requests. */
  outside?: readonly string[];
  conditions?: Conditions;
  /** Folder with databases and buckets of an earlier account, which is copied. */
  data?: string;
  /** Same as the control plane's. */
  intercept?: (call: string) => Response | undefined;
}

/** A local stand-in for Cloudflare: the API, the uploaded Workers and the edge. */
export interface Cloud {
  account: Account;
  workers: UploadedWorkers;
  edge: Edge;
  /** Address of the first deployment. */
  origin: string;
  /** Calls of the API as "PUT /…", with paths relative to the account. */
  calls: string[];
  /** Calls of the API that the stand-in does not implement. */
  unknown: string[];
  /** Environment variables that direct wrangler and the project's programs to the stand-in. */
  env: Record<string, string>;
  /** Closes the stand-in. With `data`, copies databases and buckets there first. */
  close(data?: string): Promise<void>;
}

/** Opens a stand-in with an account. */
export async function openCloud(options: CloudOptions): Promise<Cloud> {
  const account = newAccount(options.account);
  const workers = new UploadedWorkers(account, options.conditions ?? nearby, options.data);
  const token = "a-token-of-the-rehearsal";
  const calls: string[] = [];
  const unknown: string[] = [];
  const app = controlPlane({
    account,
    token,
    permissions: new Set(allPermissions.filter((one) => !options.without?.includes(one))),
    data: workers,
    onUnknown: (call) => unknown.push(call),
    intercept: (call) => {
      const short = call.replace(`/client/v4/accounts/${account.id}`, "");
      calls.push(short);
      return options.intercept?.(short);
    },
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const hosts = options.names.map((name) => `${name}.${account.subdomain}.workers.dev`);
  const { domains = [], outside = [] } = options;
  const edge = await openEdge([...hosts, ...domains, ...outside], (url, init) =>
    outside.includes(new URL(url).host)
      ? workers.outside(new Request(url, init))
      : workers.fetch(url, init),
  );
  return {
    account,
    workers,
    edge,
    origin: `https://${hosts[0]}`,
    calls,
    unknown,
    env: {
      ...edge.env,
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: token,
      WRANGLER_SEND_METRICS: "false",
      // Otherwise wrangler and npm check for updates of themselves.
      WRANGLER_HIDE_BANNER: "true",
      npm_config_update_notifier: "false",
    },
    close: async (data) => {
      server.close();
      await edge.close();
      await workers.dispose(data);
    },
  };
}
