import { expect, test, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { canaryService } from "../support/canary-service.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";

const canary = (...args: string[]) => assay("/none", ["canary", ...args]);
const failure = (message: string) => ({ code: 2, stdout: "", stderr: `${message}\n` });

const address =
  "--server must be the address of a service without a path, such as http://localhost:8787, not";
// biome-ignore-start format: a table
const wrongArguments: [what: string, args: string[], message: string][] = [
  ["an unknown suite", ["memry"], 'unknown suite "memry"; did you mean memory?'],
  ["a suite without canaries", ["extraction"], 'unknown suite "extraction"; choose memory, rubric'],
  ["two suites", ["memory", "slots"], 'unexpected argument "slots"; --help lists the arguments'],
  ["an address without a scheme", ["--server", "localhost:8787"], `${address} "localhost:8787"`],
  ["an address of another scheme", ["--server", "ftp://a.example"], `${address} "ftp://a.example"`],
  ["an address that is none", ["--server", "here"], `${address} "here"`],
  [
    "an address with a path",
    ["--server", "https://a.example/docs"],
    `${address} "https://a.example/docs"`,
  ],
  [
    "an address with a password",
    ["--server", "https://me:secret@a.example"],
    "--server must not contain a user name or password: remove them, and put an API key into ASSAY_API_KEY",
  ],
  [
    "a dataset together with --no-run",
    ["--no-run", "--dataset", "x"],
    "--dataset and --no-run exclude each other",
  ],
];
// biome-ignore-end format: a table

test.each(wrongArguments)("assay canary names %s", async (_, args, message) => {
  expect(await canary(...args)).toEqual(failure(message));
});

test("assay canary names the address when no service answers", async () => {
  const { url, dispose } = await fakeService(() => ({}));
  await dispose();
  const advice = "is it running? npm start in a clone of Assay starts one";
  const message = `no service can be reached at ${url} (ECONNREFUSED): ${advice}`;
  expect(await canary("--server", url)).toEqual(failure(message));
});

const wanted = "set ASSAY_API_KEY to a key with the scope admin";
const html = { headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" };
// biome-ignore-start format: a table
const refusals: [what: string, reply: Reply, message: (url: string) => string][] = [
  ["401", problemReply(401, "send an API key"), (url) => `${url}: send an API key; ${wanted}`],
  ["403", problemReply(403, "yours has none"), (url) => `${url}: yours has none; ${wanted}`],
  ["403 of a proxy", { status: 403, ...html }, (url) => `${url}: it answers 403; ${wanted}`],
  ["404", problemReply(404, "there is no suite"), (url) => `${url}: there is no suite`],
  [
    "422",
    problemReply(422, "nothing was submitted", [
      { pointer: "/dataset", detail: "there is none" },
      { parameter: "suite", detail: "not here" },
    ]),
    (url) => `${url}: nothing was submitted: /dataset: there is none; suite: not here`,
  ],
  ["429", problemReply(429, "wait 9 s"), (url) => `${url}: wait 9 s`],
  ["500 without a reason", { status: 500, body: "" }, (url) => `${url}: it answers 500`],
  [
    "a 404 of another program",
    { status: 404, ...html },
    (url) => `${url} answers /v1/suites/memory/canaries with 404: does it run this version?`,
  ],
  [
    "a page",
    html,
    (url) =>
      `${url} answers /v1/suites/memory/canaries in an unexpected form: does it run this version?`,
  ],
  [
    "JSON in another format",
    { body: { runs: "many" } },
    (url) =>
      `${url} answers /v1/suites/memory/canaries in an unexpected form: does it run this version?`,
  ],
  [
    "a redirect",
    { status: 308, headers: { location: "https://b.example/" } },
    (url) =>
      `${url} answers /v1/suites/memory/canaries with a redirect to https://b.example/: does it run this version?`,
  ],
];
// biome-ignore-end format: a table

test.each(refusals)("assay canary reports %s", async (_, reply, message) => {
  const instead = { "POST /v1/suites/memory/canaries": reply };
  await using service = await canaryService({ instead });
  expect(await canary("--server", service.url)).toEqual(failure(message(service.url)));
  expect(service.asked).toHaveLength(1);
});

test("assay canary reports a key that the service does not know", async () => {
  vi.stubEnv("ASSAY_API_KEY", "assay_old");
  const instead = { "POST /v1/suites/memory/canaries": problemReply(401, "this key is not known") };
  await using service = await canaryService({ instead });
  expect(await canary("--server", service.url)).toEqual(
    failure(
      `${service.url}: this key is not known; ${wanted}, or unset it for a service that requires none`,
    ),
  );
});

// biome-ignore-start format: a table
const wrongKeys: [what: string, key: string, url: string, message: string][] = [
  [
    "by http",
    "assay_secret",
    "http://a.example",
    "ASSAY_API_KEY could be read in transit to http://a.example: give its address with https, or unset the variable",
  ],
  [
    "by http to a host name that only starts with localhost",
    "assay_secret",
    "http://localhost.a.example",
    "ASSAY_API_KEY could be read in transit to http://localhost.a.example: give its address with https, or unset the variable",
  ],
  [
    "that contains a line break",
    "assay\nsecret",
    "https://a.example",
    "ASSAY_API_KEY contains characters that are invalid in an API key",
  ],
];
// biome-ignore-end format: a table

test.each(wrongKeys)("assay canary sends no key %s", async (_, key, url, message) => {
  vi.stubEnv("ASSAY_API_KEY", key);
  expect(await canary("--server", url)).toEqual(failure(message));
});

test("assay canary fails when a run that it follows no longer exists", async () => {
  const instead = { "GET /v1/runs/run_l": problemReply(404, "there is no run") };
  await using service = await canaryService({ instead });
  expect(await canary("--server", service.url)).toEqual(
    failure(`the service continues; assay canary memory --no-run prints the result
${service.url}: there is no run`),
  );
});
