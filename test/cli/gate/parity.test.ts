import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newSigningKey } from "../../../cli/local/wrangler.ts";
import {
  type Parity,
  paritySchema,
  type SignedParity,
} from "../../../shared/contracts/boards/parity.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { publishedRun } from "../support/published-run.ts";

let published: Awaited<ReturnType<typeof publishedRun>>;
let folder: string;
const name = "acme/hosts";

beforeAll(async () => {
  published = await publishedRun("extraction", newSigningKey());
  folder = mkdtempSync(join(tmpdir(), "assay-parity-test-"));
  const other = await published.runOf(1);
  const { id: referenceId, createdAt } = published.run;
  const common = { parity: name, addedBy: "acme", addedAt: createdAt };
  await published.platform.parities.create(
    { name, owner: "acme", referenceId, margin: 0.1, createdAt },
    [
      { ...common, runId: referenceId, label: "Maker" },
      { ...common, runId: other.id, label: "Cloud", addedAt: createdAt + 1 },
    ],
    100,
  );
});

afterAll(async () => {
  await published[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...args: string[]) => assay(folder, [...args, "--server", published.url]);
const signed = async (): Promise<SignedParity> =>
  (await fetch(`${published.url}/v1/parities/${name}/statement`)).json();

describe("assay parity", () => {
  it("shows the verdict, then the hosts, as text, Markdown and JSON", async () => {
    const { stdout: json } = await at("parity", "show", name, "--json");
    const parity = paritySchema.parse(JSON.parse(json));
    expect(parity.hosts).toMatchObject([{ label: "Cloud", versus: { samples: 72 } }]);
    expect(parity.reference.metrics).toHaveProperty("validity");
    expect(parity.reference.outcomes).toMatchObject({ answers: 72, refused: expect.any(Number) });

    const { stdout } = await at("parity", "show", name);
    expect(stdout).toMatch(/^acme\/hosts\n.*Cloud/);
    expect(stdout).toMatch(/Host +Verdict +EQS +Difference +95% interval/);
    expect(stdout).toMatch(/Maker +reference +\d\.\d{3} +– +–/);

    const { stdout: markdown } = await at("parity", "show", name, "--markdown");
    expect(markdown).toMatch(/^# acme\/hosts\n\n\*\*.*\*\*\n/);
    expect(markdown).toContain(
      "| Host | Verdict | EQS | Difference | 95% interval | Schema validity |",
    );

    const { stdout: listed } = await at("parity", "list");
    expect(listed).toMatch(/acme\/hosts +\S+ \d +extraction +stock +2/);
  });

  it("verifies signature, differences and verdicts", async () => {
    const { code, stdout } = await at("verify", name);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 recomputed from the scores")]);
    expect(stdout).toMatch(/signature +ok/);
  });

  it.each<[string, (parity: Parity) => void, string]>([
    [
      "a difference",
      ({ hosts: [host] }) => void Object.assign(host!.versus!, { difference: 0.5 }),
      "DIFFERS",
    ],
    ["a margin", (parity) => void Object.assign(parity, { margin: 0.2 }), "DIFFERS"],
    ["nothing", () => {}, "ok"],
  ])("reports whether a saved statement was changed in %s", async (what, change, outcome) => {
    const given = await signed();
    change(given.statement);
    const file = `${what.replaceAll(" ", "-")}.json`;
    writeFileSync(join(folder, file), JSON.stringify(given));
    const { code, stdout } = await at("verify", file);
    expect(stdout).toMatch(new RegExp(`signature +${outcome}`));
    expect(stdout).toMatch(new RegExp(`verdicts +${outcome}`));
    expect(code).toBe(outcome === "ok" ? 0 : 1);
  });

  it("creates a parity and runs a host without printing its key", async () => {
    const parity = paritySchema.parse(
      JSON.parse((await at("parity", "show", name, "--json")).stdout),
    );
    const run = { id: "run_9", status: "finished", statusReason: null };
    await using service = await fakeService(({ call }) => {
      if (call === "POST /v1/parities/acme/hosts/hosts") {
        const links = { self: "/v1/runs/run_9", samples: "x", report: null };
        const queued = { id: "run_9", model: "acme/m", variant: null, status: "queued", links };
        const dataset = { name: "stock", version: "0" };
        const ids = { id: "sub_1", status: "queued", suite: "extraction", dataset };
        const about = { createdAt: "2026-01-01T00:00:00Z", links: { self: "x", sweep: null } };
        return { status: 202, body: { ...ids, ...about, runs: [queued] } };
      }
      if (call === "GET /v1/runs/run_9") {
        const progress = { total: 72, done: 72, failed: 0 };
        const times = { waitingUntil: null, estimatedFinishAt: null };
        return { body: { ...published.run, ...run, ...times, progress, notes: [] } };
      }
      if (call === "POST /v1/parities") return { status: 201, body: parity };
      return call === "GET /v1/parities/acme/hosts" || call.startsWith("DELETE /v1/parities/")
        ? { body: parity }
        : problemReply(404, `there is no ${call}`);
    });
    vi.stubEnv("HOST_KEY", "sk-of-the-host");
    const call = (line: string) => assay(folder, [...line.split(" "), "--server", service.url]);
    const made = await call(
      `parity create ${name} --reference run_1 --label Maker --margin 0.02 --hosts run_2,run_3`,
    );
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(service.asked.at(-1)?.body).toEqual({
      name,
      reference: { run: "run_1", label: "Maker" },
      margin: 0.02,
      hosts: [{ run: "run_2" }, { run: "run_3" }],
    });
    const added = await call(
      `parity add ${name} --base-url https://api.example.com/v1 --model m --api-key-env HOST_KEY --price-in 1 --price-out 4`,
    );
    expect(added.stdout).toContain(parity.verdict.slice(0, 20));
    expect(`${added.stdout}${added.stderr}`).not.toContain("sk-of-the-host");
    const sent = service.asked.find(({ call }) => call.endsWith("/hosts/hosts"))?.body;
    expect(sent).toEqual({
      endpoint: { baseUrl: "https://api.example.com/v1", model: "m", apiKey: "sk-of-the-host" },
      prices: { inputPerMillion: 1, outputPerMillion: 4 },
    });
    vi.unstubAllEnvs();
    await call(`parity add ${name} --base-url http://10.0.0.5:8000/v1 --model m --runner lab`);
    expect(service.asked.findLast(({ call: one }) => one.endsWith("/hosts/hosts"))?.body).toEqual({
      endpoint: { baseUrl: "http://10.0.0.5:8000/v1", model: "m", runner: "lab" },
    });
    const removed = await call(`parity remove ${name} run_9`);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining(parity.name)]);
    expect(service.asked.at(-1)?.call).toBe("DELETE /v1/parities/acme/hosts/hosts/run_9");
  });

  it("shows earlier runs and runs of other accounts in separate rows, and lists removed runs", async () => {
    const { statement } = await signed();
    const [host] = statement.hosts;
    const of = (more: object) => ({ ...host!, ...more });
    const shown = {
      ...statement,
      hosts: [
        of({ attempt: 1, attempts: 3, isLatest: false }),
        of({ attempt: 3, attempts: 3 }),
        of({ label: "Other", addedBy: "ada" }),
      ],
      removed: [{ addedBy: "acme", label: "Cloud", removedBy: null, runs: 1 }],
    };
    await using service = await fakeService(() => ({ body: shown }));
    const { stdout } = await assay(folder, ["parity", "show", name, "--server", service.url]);
    const [own = "", others = ""] = stdout.split("Added by ada:");
    expect(own).toMatch(
      /Maker +reference[\s\S]*Cloud, run 3 of 3[\s\S]*Cloud, run 1 of 3 +earlier: /,
    );
    expect(own).toContain("1 run of Cloud was removed (added by acme).");
    expect(own).not.toContain("Other ");
    expect(others).toMatch(/Host +Verdict[\s\S]*Other +/);
    const args = ["parity", "show", name, "--markdown", "--server", service.url];
    expect((await assay(folder, args)).stdout).toContain("\n## Added by ada\n\n| Host |");
  });

  it.each([
    [["parity", "add", name], "give --base-url URL and --model NAME, or a run"],
    [
      ["parity", "create", name, "--reference", "run_1", "--margin", "x"],
      '--margin must be a number above 0, such as 0.02, not "x"',
    ],
    [["verify", name, "--save", "x"], "--save applies only to a run"],
    [["parity", "show", "acme/none"], "there is no such parity"],
    [
      ["parity", "show", "none"],
      'give the parity as OWNER/NAME, as assay parity list shows it, not "none"',
    ],
    [
      [
        ..."parity add acme/hosts --base-url http://a.lan/v1 --model m --runner lab".split(" "),
        "--api-key-env",
        "HOST_KEY",
      ],
      "the runner has the endpoint's key",
    ],
  ])("%j exits with 2: %s", async (args, message) => {
    const { code, stderr } = await at(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("reports changes by later runs since a saved statement", async () => {
    writeFileSync(join(folder, "early.json"), JSON.stringify(await signed()));
    expect((await at("verify", "early.json")).stdout).toMatch(/current +ok/);
    const add = async (addedBy: string, label: string, turn: number) => {
      const { id: runId, createdAt } = await published.runOf(turn);
      const row = { parity: name, runId, label, addedBy, addedAt: createdAt + turn };
      await published.platform.parities.add(row);
    };
    await add("ada", "Other", 2);
    expect((await at("verify", "early.json")).code).toBe(0);
    await add("acme", "Cloud", 3);
    const { code, stdout } = await at("verify", "early.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(/signature +ok/);
    expect(stdout).toMatch(/current +DIFFERS +the parity has changed since \d{4}-/);
    expect(stdout).toMatch(/Cloud \(\S+\) +(\S+) +earlier: \1/);
  });
});
