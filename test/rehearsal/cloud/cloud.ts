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

/** How an account and its token differ from the usual. */
export interface CloudOptions {
  account?: Partial<Account>;
  without?: readonly Permission[];
  /** Names of deployments whose addresses are known; `origin` is the first one's. */
  names: readonly string[];
  /** Domains of the account. */
  domains?: readonly string[];
  /** Hosts of the world that are asked through the edge, too: `workers.outside` answers. */
  outside?: readonly string[];
  conditions?: Conditions;
  /** Databases and buckets of the account: a folder of an earlier account, which is copied. */
  data?: string;
  /** As of the control plane. */
  intercept?: (call: string) => Response | undefined;
}

/** Cloudflare on this machine: its API, what is uploaded to it, and the way there. */
export interface Cloud {
  account: Account;
  workers: UploadedWorkers;
  edge: Edge;
  /** Address of the first deployment. */
  origin: string;
  /** Calls of the API, as "PUT /…", paths from below the account on. */
  calls: string[];
  /** Calls of the API that it does not know. */
  unknown: string[];
  /** Environment in which wrangler and the project's programs find it. */
  env: Record<string, string>;
  /** Ends; with `data`, databases and buckets are copied there first. */
  close(data?: string): Promise<void>;
}

/** Opens an account with nothing in it. */
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
      // Both look for newer versions of themselves.
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
