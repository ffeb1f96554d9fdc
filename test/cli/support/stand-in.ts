import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { json } from "node:stream/consumers";
import { deployOptions } from "../../../cli/deploy/deploy-options.ts";
import { folderOf } from "../../../cli/deploy/deployment-state.ts";
import type { Questions } from "../../../cli/deploy/questions.ts";
import { runDeploy } from "../../../cli/deploy/run-deploy.ts";
import { type CallWrangler, wranglerClient } from "../../../cli/deploy/wrangler-client.ts";
import { codeRevision } from "../../../cli/local/root.ts";
import { fakeService, problemReply, type Reply } from "./fake-service.ts";
import { type Play, StandInWrangler } from "./stand-in-wrangler.ts";

export const accountId = "0123456789abcdef0123456789abcdef";

/** Secrets set by the calls, in order. */
export const setBy = (calls: StandInWrangler["calls"]): [name: string, value: string][] =>
  calls
    .filter(({ args, ok }) => args[0] === "secret" && args[1] === "bulk" && ok)
    .flatMap(({ input }) => Object.entries<string>(JSON.parse(input)));

/** Stand-ins for a Cloudflare account and a deployed service; `name` is the deployment's name. */
export async function standIn(name: string) {
  let operator: string | null = null;
  let revision: string | null = codeRevision();
  const service = await fakeService(({ call, headers, body }): Reply => {
    if (call === "GET /healthz") return { body: { status: "ok", codeRevision: revision } };
    const bearer = headers.authorization?.slice("Bearer ".length);
    const set = setBy(wrangler.calls).findLast(([one]) => one === "OPERATOR_SECRET");
    operator = set?.[1] ?? operator;
    if (bearer !== operator) return problemReply(401, "the key is not known");
    if (call === "GET /v1/keys") return { body: { keys: [] } };
    if (call.startsWith("POST /v1/datasets")) return { body: uploaded(call) };
    return { body: { ...key, ...(body as object), key: "assay_first" } };
  });
  const wrangler = new StandInWrangler(service.url);
  const play = (changes: Play) => {
    wrangler.play = { accounts: [{ id: accountId, name: "Ann" }], ...changes };
  };
  play({});
  return {
    service,
    wrangler,
    play,
    /** Sets the revision that the service runs. */
    runs: (next: string | null) => {
      revision = next;
    },
    /** Sets the operator secret of an earlier deployment. */
    knows: (secret: string) => {
      operator = secret;
    },
    /** Runs a deployment and returns its output. */
    deploy: async (
      args: readonly string[],
      questions: Questions,
      secrets = {},
      whileBuilding = () => {},
      printed: string[] = [],
    ) => {
      const options = deployOptions(["--name", name, ...args], {});
      const build = async (_: string, pages: string) => {
        writeFileSync(join(pages, "index.html"), "built");
        whileBuilding();
        return "";
      };
      await runDeploy(options, {
        questions,
        env: secrets,
        print: (one) => printed.push(one),
        wrangler: wranglerClient(wrangler.call),
        build,
      });
      return printed.join("\n");
    },
    async [Symbol.asyncDispose]() {
      await service.dispose();
      rmSync(folderOf(name), { recursive: true, force: true });
    },
  };
}

/** Puts a program on PATH that forwards its calls to `wrangler`; returns that environment as `env`. */
export async function onPath({ call }: StandInWrangler) {
  const folder = mkdtempSync(join(tmpdir(), "assay-stand-in-"));
  const server = createServer(async (request, response) => {
    const given = (await json(request)) as Parameters<CallWrangler>;
    response.end(JSON.stringify(await call(...given)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const program = join(folder, "wrangler");
  const { port } = server.address() as AddressInfo;
  writeFileSync(program, programFor(port));
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env["PATH"]}` },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// process.stdin makes the pipe non-blocking: reading before input has arrived fails with EAGAIN.
const programFor = (port: number) => `#!/usr/bin/env node
const [, , ...args] = process.argv;
const input = require("node:fs").readFileSync(0, "utf8");
const body = JSON.stringify([args, input, process.env]);
const request = require("node:http").request({ port: ${port}, method: "POST" }, async (response) => {
  const { ok, stdout, text } = JSON.parse((await response.toArray()).join(""));
  process.stdout.write(stdout);
  if (!ok) process.stderr.write(text);
  process.exitCode = ok ? 0 : 1;
});
request.end(body);
`;

const key = {
  id: "key_1",
  createdAt: "2026-11-02T00:00:00Z",
  expiresAt: null,
  dailySamples: null,
  revokedAt: null,
  lastUsedAt: null,
};

function uploaded(call: string) {
  const query = new URL(call.split(" ")[1]!, "http://service").searchParams;
  return {
    suite: query.get("suite"),
    name: query.get("name"),
    version: "a".repeat(64),
    license: query.get("license") ?? undefined,
    samples: 3,
    malformed: [],
    warnings: [],
    visibility: "public",
    createdAt: "2026-11-02T00:00:00Z",
  };
}
