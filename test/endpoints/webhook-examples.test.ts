import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const bytes = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const secret = bytes(7);
const body = JSON.stringify({
  type: "run.finished",
  timestamp: "2026-11-22T12:00:00.000Z",
  data: { run: "run_1", headline: { value: 0.912 }, note: "naïve – 日本" },
});

/** The headers of a request, signed by the reference library. */
function headersOf(event: string, secrets = [secret], sentAt = new Date(), signed = body) {
  const signatures = secrets.map((one) => new Webhook(one).sign(event, sentAt, signed));
  return {
    "webhook-id": event,
    "webhook-timestamp": `${Math.floor(sentAt.getTime() / 1000)}`,
    "webhook-signature": signatures.join(" "),
  };
}

const programs: [program: string, file: string][] = [
  [process.execPath, "webhook.mjs"],
  ["python3", "webhook.py"],
];

const isMissing = ([program, file]: (typeof programs)[number]): boolean => {
  const missing = spawnSync(program, ["--version"]).error !== undefined;
  if (missing) console.warn(`there is no ${program} here: ${file} was not run`);
  return missing;
};

describe.each(programs.filter((one) => !isMissing(one)))("%s examples/%s", (program, file) => {
  let receiver: ChildProcess;
  let url = "";
  const printed: string[] = [];

  beforeAll(async () => {
    receiver = spawn(program, [`examples/${file}`], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, SECRET: secret, PORT: "0" },
    });
    const lines = createInterface({
      input: receiver.stdout as NonNullable<typeof receiver.stdout>,
    });
    const [first] = (await once(lines, "line")) as [string];
    url = `http://127.0.0.1:${first.split(" ").at(-1)}/`;
    lines.on("line", (line) => printed.push(line));
  });

  afterAll(async () => {
    receiver.kill();
    await once(receiver, "exit");
  });

  const post = async (headers: Record<string, string>, sent = body) =>
    (await fetch(url, { method: "POST", headers, body: sent })).status;

  it("accepts events signed with its secret, each once", async () => {
    expect(await post(headersOf("evt_1"))).toBe(204);
    expect(await post(headersOf("evt_1"))).toBe(204);
    expect(await post(headersOf("evt_2", [bytes(9), secret]))).toBe(204);
    await expect.poll(() => printed).toEqual(Array(2).fill("run.finished run_1 0.912"));
  });

  it.each([
    ["another secret", headersOf("evt_3", [bytes(9)]), body],
    ["another body", headersOf("evt_4"), body.replace("run_1", "run_2")],
    ["another event", { ...headersOf("evt_5"), "webhook-id": "evt_6" }, body],
    ["an old signature", headersOf("evt_7", [secret], new Date(Date.now() - 400_000)), body],
    ["an invalid time", { ...headersOf("evt_8"), "webhook-timestamp": "now" }, body],
    ["no signature", {}, body],
  ])("refuses %s", async (_what, headers, sent) => {
    expect(await post(headers as Record<string, string>, sent)).toBe(401);
  });
});
