import { z } from "zod";
import { listedParitySchema, type Parity, paritySchema } from "#shared/contracts/boards/parity.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { parityAbout, parityMarkdown, parityTables } from "#shared/measures/gates/parity-table.ts";
import { removedTexts } from "#shared/measures/gates/parity-verdict.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { valueFlag } from "../command-line/command.ts";
import { variableName } from "../config/override-config.ts";
import { BadInput } from "../errors.ts";
import { followRuns } from "../remote/follow-runs.ts";
import { everyPage } from "../remote/service-client.ts";
import { serviceCommand } from "../remote/service-flags.ts";
import { refuseUnencrypted, sharedKey, withoutKeys } from "../run/endpoint-keys.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { plainText, printable, textTable, wideTable, wrapText } from "../terminal/text.ts";

const scope = "submit";
const name = { name: "name", help: "OWNER/NAME of the parity; assay parity list prints them" };
const shown = { markdown: { type: "boolean", help: "Print Markdown" } } as const;
/** Common parts of commands that print a parity. */
const ofParity = {
  scope,
  result: paritySchema,
  text: (parity: Parity, { markdown = false }: { markdown?: boolean | undefined }) =>
    textOf(parity, markdown),
};
const label = valueFlag("TEXT", "Name of the host in tables; default: the host of its endpoint");

const createFlags = {
  reference: valueFlag("RUN", "Finished run of the host with which others are compared", {
    required: true,
  }),
  margin: valueFlag("N", "Largest acceptable loss, in the unit of the metric that ranks the run", {
    required: true,
  }),
  label,
  hosts: valueFlag("RUN,RUN,…", "Finished runs of other hosts"),
  ...shown,
} as const;

const create = serviceCommand({
  name: "parity create",
  summary: "compare one model at several hosts",
  description: [
    "Compares hosts of one model with a reference host, sample by sample, by non-inferiority with the margin. State the margin first: create the parity with the reference alone, then add hosts with assay parity add.",
  ],
  positionals: [{ name: "name", help: "Name as OWNER/NAME, OWNER being your account" }],
  flags: createFlags,
  ...ofParity,
  examples: ["assay parity create acme/extract-7b-hosts --reference run_01a2b3c4 --margin 0.02"],
  call(service, values, [given]) {
    const { reference, hosts = "" } = values;
    const ids = hosts.split(",").map((run) => run.trim());
    const body = {
      name: given,
      reference: { run: reference, ...(values.label && { label: values.label }) },
      margin: marginOf(values.margin),
      hosts: ids.filter(Boolean).map((run) => ({ run })),
    };
    return service.post("/v1/parities", body, paritySchema);
  },
});

function marginOf(text: string): number {
  const margin = Number(text);
  if (text.trim() !== "" && margin > 0) return margin;
  throw new BadInput(`--margin must be a number above 0, such as 0.02, not "${text}"`);
}

const addFlags = {
  run: valueFlag("RUN", "The same as the second argument"),
  "base-url": valueFlag("URL", "Endpoint of the host"),
  model: valueFlag("NAME", "Name of the model at the endpoint"),
  "api-key-env": valueFlag("NAME", "Environment variable that holds the endpoint's key"),
  runner: valueFlag("NAME", "Your runner that calls the endpoint: see assay runner"),
  label,
  "price-in": valueFlag("USD", "Price of the host per million input tokens"),
  "price-out": valueFlag("USD", "Price of the host per million output tokens"),
  ...shown,
} as const;

const add = serviceCommand({
  name: "parity add",
  summary: "evaluate another host and add it to a parity",
  description: [
    "Starts a run with exactly the dataset and the options of the parity, waits for it, and prints the parity. The endpoint is your own, or a listed host that you call with your key. Your row is marked with your account. In a parity of another account it is shown separately. To run a host again, give the same label: the latest finished run counts, and the earlier ones remain shown.",
  ],
  usage: [
    "assay parity add OWNER/NAME --base-url URL --model NAME [options]",
    "assay parity add OWNER/NAME RUN [options]",
  ],
  positionals: [
    name,
    {
      name: "run",
      help: "Your finished run to add, instead of starting a run",
      optional: true,
    },
  ],
  flags: addFlags,
  ...ofParity,
  examples: [
    "assay parity add acme/extract-7b-hosts --base-url https://api.example.com/v1 --model extract-7b --api-key-env EXAMPLE_KEY",
    "assay parity add acme/extract-7b-hosts --base-url http://10.0.0.5:8000/v1 --model extract-7b --runner lab",
  ],
  async call(service, values, [given, finished], { stderr }) {
    const {
      run = finished,
      model,
      "base-url": baseUrl,
      "price-in": priceIn,
      "price-out": priceOut,
    } = values;
    const hosts = `${pathOf(given)}/hosts`;
    const named = values.label && { label: values.label };
    if (run !== undefined) return service.post(hosts, { run, ...named }, paritySchema);
    if (baseUrl === undefined || model === undefined) {
      throw new BadInput("give --base-url URL and --model NAME, or a run");
    }
    const { runner, "api-key-env": keyName } = values;
    if (runner !== undefined && keyName !== undefined) {
      throw new BadInput(
        "--api-key-env and --runner: the runner has the endpoint's key; give it to assay runner",
      );
    }
    const keys = sharedKey(variableName(keyName), process.env);
    refuseUnencrypted(service.origin, keys);
    const prices = pricesOf(priceIn, priceOut);
    const secrets = runner === undefined ? keys.secretsOf(model) : { runner };
    const endpoint = { baseUrl, model, ...secrets };
    const { runs } = await withoutKeys(keys, () =>
      service.post(hosts, { endpoint, ...named, ...(prices && { prices }) }, submissionSchema),
    );
    const line = progressLine(stderr);
    const [{ id } = { id: "" }] = runs;
    const [ended] = await followRuns(service, [id], ([one]) =>
      line.show(one ? `${one.progress.done} of ${one.progress.total} samples …` : "queued …"),
    );
    line.clear();
    if (ended?.status !== "finished") {
      throw new BadInput(
        `the run ${id} is ${ended?.status}: ${ended?.statusReason ?? "see its page"}`,
      );
    }
    return service.get(pathOf(given), paritySchema);
  },
});

function pricesOf(inputPrice: string | undefined, outputPrice: string | undefined) {
  if (inputPrice === undefined && outputPrice === undefined) return null;
  const [inputPerMillion, outputPerMillion] = [Number(inputPrice), Number(outputPrice)];
  if (inputPerMillion >= 0 && outputPerMillion >= 0) return { inputPerMillion, outputPerMillion };
  throw new BadInput("give both --price-in and --price-out, in USD per million tokens");
}

const show = serviceCommand({
  name: "parity show",
  summary: "show a parity: a comparison of hosts of one model",
  description: [
    "Prints the verdict of a parity and a table of its hosts: difference to the reference with its 95% interval, schema accuracy, tool calls, latency, speed, cost, refused, empty and cut-off answers.",
  ],
  positionals: [name],
  flags: shown,
  ...ofParity,
  examples: [
    "assay parity show acme/extract-7b-hosts",
    "assay parity show acme/extract-7b-hosts --markdown > parity.md",
  ],
  call: (service, _, [given]) => service.get(pathOf(given), paritySchema),
});

const remove = serviceCommand({
  name: "parity remove",
  summary: "remove a run from a parity",
  description: [
    "Removes a run from a parity. From your own parity, you can remove any run but the reference; from a parity of another account, only runs that you added. The run is kept. The parity shows how many runs were removed, and its tests are still corrected for them.",
  ],
  positionals: [name, { name: "run", help: "Id of the run; assay parity show --json prints them" }],
  flags: shown,
  ...ofParity,
  examples: ["assay parity remove acme/extract-7b-hosts run_01a2b3c4"],
  call: (service, _, [given, run]) =>
    service.delete(`${pathOf(given)}/hosts/${encodeURIComponent(run)}`, paritySchema),
});

const list = serviceCommand({
  name: "parity list",
  summary: "list the parities of a service",
  description: ["Lists the parities of a service, newest first."],
  flags: { mine: { type: "boolean", help: "List your parities, including private ones" } },
  scope,
  result: z.object({ parities: z.array(listedParitySchema) }),
  async call(service, { mine }) {
    const path = `/v1/parities${mine ? "?mine=true" : ""}`;
    return { parities: await everyPage(service, path, "parities", listedParitySchema) };
  },
  text({ parities }) {
    if (parities.length === 0) return "no parities; assay parity create makes one";
    const rows = parities.map((one) => [
      one.name,
      one.model,
      one.suite,
      one.dataset,
      `${one.hosts}`,
    ]);
    const head = ["name", "model", "suite", "dataset", "hosts"];
    return textTable([head, ...rows], (column) => column < 4)
      .map(printable)
      .join("\n");
  },
});

/** `assay parity`. */
export const parityCommands = [create, add, show, remove, list];

function pathOf(given: string): string {
  const parts = given.split("/");
  if (parts.length === 2) return `/v1/parities/${parts.map(encodeURIComponent).join("/")}`;
  throw new BadInput(
    `give the parity as OWNER/NAME, as assay parity list shows it, not "${given}"`,
  );
}

function textOf(parity: Parity, isMarkdown: boolean): string {
  const suite = suiteById(parity.suite);
  if (suite === undefined) throw new BadInput(`this version of assay has no suite ${parity.suite}`);
  const { metrics } = suiteFor(suite, parity.options);
  if (isMarkdown) return parityMarkdown(parity, metrics);
  const metric = metrics.find(({ id }) => id === parity.metric)!;
  const tables = parityTables(parity, metrics).flatMap(({ addedBy, columns, rows }) => [
    ...(addedBy === null ? [] : ["", `Added by ${addedBy}:`]),
    ...wideTable([columns.map(({ label: head }) => head), ...rows]).flatMap((lines) => [
      "",
      ...lines,
    ]),
  ]);
  const about = [
    parity.name,
    ...wrapText(parity.verdict),
    "",
    ...wrapText(parityAbout(parity, metric)),
    ...removedTexts(parity).flatMap((text) => wrapText(text)),
  ];
  return [...about, ...tables]
    .map((line) => printable(plainText(line).replaceAll("\u2212", "-")))
    .join("\n");
}
