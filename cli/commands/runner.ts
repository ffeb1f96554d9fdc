import { styleText } from "node:util";
import { z } from "zod";
import { RUNNER_MOST, runnerNameSchema } from "#shared/contracts/submissions/runner.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { sharedKey } from "../run/endpoint-keys.ts";
import { allowedBases } from "../run/runner/call-endpoint.ts";
import { type RunnerState, runRunner } from "../run/runner/run-runner.ts";
import { runnerKey } from "../run/runner/runner-key.ts";
import { printable } from "../terminal/text.ts";

const CONCURRENCY = 20;
/** Exit code of a process that SIGINT ends. */
const INTERRUPTED = 130;

const stateSchema = z.object({
  at: z.iso.datetime(),
  runner: z.string(),
  state: z.enum([
    "ready",
    "idle",
    "working",
    "back",
    "unreachable",
    "refused",
    "dropped",
    "stopping",
    "stopped",
  ]),
  detail: z.string().optional(),
  requests: z.int().optional(),
  sent: z.int().optional(),
  failed: z.int().optional(),
});

const flags = {
  name: valueFlag("NAME", "Name of the runner, used in submissions and schedules", {
    required: true,
  }),
  allow: valueFlag("URL", "Base address of endpoints that it may call", {
    required: true,
    multiple: true,
  }),
  "api-key-env": valueFlag(
    "NAME",
    "Environment variable, or line of .env, that holds the key of these endpoints; it is sent only to them",
  ),
  concurrency: valueFlag("N", `Requests that it sends at once, at most ${RUNNER_MOST}`, {
    default: `${CONCURRENCY}`,
  }),
  ...serviceFlags,
  json: jsonFlag(stateSchema, "Print each change of state as a line of JSON"),
} as const;

/** `assay runner`: calls endpoints of this machine's network for a service. */
export const runnerCommand = command({
  name: "runner",
  summary: "call endpoints that only this machine can reach, for a service",
  description: [
    "Takes requests of your account from a service, sends them to endpoints of this machine's network, and returns the replies, signed, with their times. Runs, schedules and drift checks of models whose endpoint names this runner work as for public endpoints.",
  ],
  flags,
  environment: keyVariable,
  exitCodes: { 0: "It was stopped, and no request was in flight" },
  notes: [
    "Ctrl-C stops it after the requests in flight; a second Ctrl-C stops it at once. If it can't reach the service, it waits and tries again. Several runners with the same name share the work.",
    "It calls no address outside --allow and follows no redirects. Its key for signatures is made at the first start and stored in .assay/runners, readable only by you.",
    "The service's key in ASSAY_API_KEY needs the scope runner.",
  ],
  examples: [
    "assay runner --server https://assay.example.com --name lab --allow http://10.0.0.5:8000/v1",
  ],
  async run(values, _, { stdout }) {
    const { name } = values;
    if (!runnerNameSchema.safeParse(name).success) {
      throw new BadInput(
        `--name must be lower case, letters, digits and . _ - between them, not "${name}"`,
      );
    }
    const bases = allowedBases(values.allow);
    const [apiKey = null] = sharedKey(values["api-key-env"], process.env).all;
    const client = serviceOf(values, "runner");
    const key = runnerKey(name);
    const about = `runner ${name} at ${client.origin}, key ${key.keyId}`;
    const say = (change: RunnerState) => {
      const at = new Date().toISOString();
      const line = values.json
        ? JSON.stringify({ at, runner: name, ...change })
        : `${styleText("dim", at, { stream: stdout })} ${printable(stateText(change, about))}`;
      stdout.write(`${line}\n`);
    };
    const stop = new AbortController();
    const release = onInterrupt(stop);
    const concurrency = concurrencyOf(values.concurrency);
    const { signal } = stop;
    try {
      await runRunner({ client, name, key, bases, apiKey, concurrency, say, stop: signal });
    } finally {
      release();
    }
  },
});

function stateText(change: RunnerState, about: string): string {
  switch (change.state) {
    case "ready":
      return `${about}: asks for work`;
    case "idle":
      return "waits for requests";
    case "working":
      return "sends requests";
    case "back":
      return "the service is back";
    case "unreachable":
      return `${change.detail}; trying again`;
    case "refused":
      return `refused ${change.detail}: start the runner with --allow for it`;
    case "dropped":
      return `a reply was dropped: ${change.detail}`;
    case "stopping":
      return change.requests === 0
        ? "stopping"
        : `stopping after ${counted(change.requests, "request")}; Ctrl-C again stops at once`;
    case "stopped":
      return `stopped: ${counted(change.sent, "request")} sent, ${change.failed} failed`;
  }
}

function concurrencyOf(text = `${CONCURRENCY}`): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= RUNNER_MOST) return value;
  throw new BadInput(
    `--concurrency must be a whole number from 1 to ${RUNNER_MOST}, not "${text}"`,
  );
}

/** The first signal stops the runner, the second ends the process. */
function onInterrupt(stop: AbortController): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const handle = () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  };
  for (const name of signals) process.on(name, handle);
  return () => {
    for (const name of signals) process.off(name, handle);
  };
}
