import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { deployOptions } from "../../../cli/deploy/deploy-options.ts";
import { folderOf } from "../../../cli/deploy/deployment-state.ts";
import type { Questions } from "../../../cli/deploy/questions.ts";
import { runDeploy } from "../../../cli/deploy/run-deploy.ts";
import { codeRevision } from "../../../cli/local/code-revision.ts";
import { fakeService, problemReply, type Reply } from "./fake-service.ts";

export const accountId = "0123456789abcdef0123456789abcdef";

/** A call of wrangler: its words, and what it was given on standard input. */
export interface Call {
  call: string;
  args: string[];
  input: string;
  environment: string[];
  account?: string;
}

interface Play {
  /** What wrangler says in place of doing it, by call. */
  fail?: Record<string, string>;
  accounts?: readonly { id: string; name: string }[];
  /** A call that does not end. */
  hang?: string;
}

/** An account at Cloudflare and a deployed service, both played; `name` is the deployment's. */
export async function standIn(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "assay-stand-in-"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  copyFileSync(join(import.meta.dirname, "stand-in-wrangler.mjs"), join(bin, "wrangler"));
  chmodSync(join(bin, "wrangler"), 0o755);
  let operator: string | null = null;
  let revision: string | null = codeRevision();
  const service = await fakeService(({ call, headers, body }): Reply => {
    if (call === "GET /healthz") return { body: { status: "ok", codeRevision: revision } };
    const bearer = headers.authorization?.slice("Bearer ".length);
    operator =
      calls(folder).findLast(({ args }) => args[2] === "OPERATOR_SECRET")?.input ?? operator;
    if (bearer !== operator) return problemReply(401, "the key is not known");
    if (call === "GET /v1/keys") return { body: { keys: [] } };
    if (call.startsWith("POST /v1/datasets")) return { body: uploaded(call) };
    return { body: { ...key, ...(body as object), key: "assay_first" } };
  });
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    STAND_IN: folder,
    STAND_IN_TARGET: service.url,
  };
  const before = Object.keys(env).map((one) => [one, process.env[one]] as const);
  Object.assign(process.env, env);
  const play = (its: Play) =>
    writeFileSync(
      join(folder, "play.json"),
      JSON.stringify({ accounts: [{ id: accountId, name: "Ann" }], ...its }),
    );
  play({});
  return {
    service,
    play,
    env,
    calls: () => calls(folder),
    account: () => JSON.parse(readFileSync(join(folder, "account.json"), "utf8")),
    /** The database gets a migration of a later version. */
    migrates: (migration: string) => {
      const file = join(folder, "account.json");
      const its = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...its, migrations: [...its.migrations, migration] }));
    },
    /** The bucket loses what it holds. */
    forget: () => {
      const file = join(folder, "account.json");
      const its = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...its, objects: {} }));
    },
    /** The revision that the service runs from now on. */
    runs: (its: string | null) => {
      revision = its;
    },
    /** The operator's secret that was set before this service began. */
    knows: (secret: string) => {
      operator = secret;
    },
    /** Runs a deployment; gives what it printed. */
    deploy: async (
      args: readonly string[],
      questions: Questions,
      secrets = {},
      whileBuilding = () => {},
    ) => {
      const printed: string[] = [];
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
        build,
      });
      return printed.join("\n");
    },
    async [Symbol.asyncDispose]() {
      for (const [one, value] of before) {
        if (value === undefined) delete process.env[one];
        else process.env[one] = value;
      }
      await service.dispose();
      rmSync(folder, { recursive: true, force: true });
      rmSync(folderOf(name), { recursive: true, force: true });
    },
  };
}

function calls(folder: string): Call[] {
  try {
    const text = readFileSync(join(folder, "calls.jsonl"), "utf8");
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

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
