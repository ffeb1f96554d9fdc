/** Ids in the paths of requests. */
export interface NamedIds {
  run: string;
  submission: string;
  dataset: string;
  slug: string;
  board: string;
  /** Default: none. */
  parity?: string;
  /** Default: the suite of the Worker's tests. */
  suite?: string;
}

interface Api {
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

type Named = [operation: string, path: string, body?: object];

/** Cached per service, since generating the OpenAPI document takes a while. */
const described = new WeakMap<Api, Promise<Record<string, object>>>();

function pathsOf(api: Api): Promise<Record<string, object>> {
  const known = described.get(api) ?? readPaths(api);
  described.set(api, known);
  return known;
}

async function readPaths(api: Api): Promise<Record<string, object>> {
  const reply = await api.send("GET", "/v1/openapi.json");
  return ((await reply.json()) as { paths: Record<string, object> }).paths;
}

/** Bodies of writes, which change data; only for ids that the caller must not find. */
const bodiesOf = ({ run }: NamedIds): Record<string, object> => ({
  "PATCH /v1/runs/{id}": { visibility: "public" },
  "PATCH /v1/datasets/{suite}/{dataset}": { visibility: "public" },
  "POST /v1/runs/{id}/hide": { reason: "x" },
  "POST /v1/parities/{owner}/{name}/hosts": { run },
});

/** Requests with other queries or bodies than the template's. */
const moreOf = ({
  suite = "relay",
  dataset,
  parity = "acme/none",
  submission,
}: NamedIds): Named[] => [
  [
    "GET /v1/leaderboard?mine",
    `/v1/leaderboard?${new URLSearchParams({ suite, dataset })}&mine=true`,
  ],
  ["POST /v1/shares, a board", "/v1/shares", { board: { suite, dataset } }],
  ["POST /v1/shares, a parity", "/v1/shares", { parity }],
  ["POST /v1/shares, judgings", "/v1/shares", { judgings: [submission, `${submission}x`] }],
];

/**
 * Requests every operation of the service's OpenAPI document with these ids. Returns status and text of the replies by
 * operation, with ids and request ids replaced.
 */
export async function everyReply(
  api: Api,
  ids: NamedIds,
  headers: Record<string, string>,
  methods: readonly string[] = ["get"],
): Promise<Map<string, string>> {
  const paths = await pathsOf(api);
  const bodies = bodiesOf(ids);
  const asked = Object.entries(paths).flatMap(([template, operations]) =>
    methods.flatMap((method): Named[] => {
      const name = `${method.toUpperCase()} ${template}`;
      const address = addressOf(template, ids);
      const hasNone = method === "get" || method === "delete";
      if (!(method in operations)) return [];
      return [hasNone ? [name, address] : [name, address, bodies[name] ?? {}]];
    }),
  );
  const isAsked = ([name]: Named) => methods.includes(name.split(" ")[0]!.toLowerCase());
  const replies = new Map<string, string>();
  for (const [name, path, body] of [...asked, ...moreOf(ids).filter(isAsked)]) {
    const reply = await api.send(name.split(" ")[0]!, path, body, headers);
    replies.set(name, withoutIds(`${reply.status} ${await reply.text()}`, ids));
  }
  return replies;
}

function addressOf(
  template: string,
  { run, submission, dataset, slug, board, parity = "acme/none", suite = "relay" }: NamedIds,
): string {
  const isParity = template.startsWith("/v1/parities");
  const [owner = "", model = ""] = (isParity ? parity : slug).split("/");
  const id = template.startsWith("/v1/submissions")
    ? submission
    : template.startsWith("/v1/boards")
      ? board
      : run;
  const path = template
    .replace("{id}", id)
    .replace("{sampleId}", "s0")
    .replace("{suite}", suite)
    .replace("{dataset}", dataset)
    .replace("{owner}", owner)
    .replace("{model}", model)
    .replace("{name}", isParity ? model : "{name}")
    .replace("{run}", run);
  const query = { suite, dataset, runs: `${run},${run}x`, submissions: submission };
  return `${path}?${new URLSearchParams(query)}`;
}

/** A reply with names in place of ids, longest first because some contain others. */
export function withoutIds(text: string, ids: NamedIds): string {
  const known = Object.entries(ids).sort(([, a], [, b]) => b.length - a.length);
  return known
    .reduce((all, [name, id]) => (id === "" ? all : all.replaceAll(id, `<${name}>`)), text)
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""');
}
