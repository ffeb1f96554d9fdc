/** What addresses name. */
export interface NamedIds {
  run: string;
  submission: string;
  dataset: string;
  slug: string;
  board: string;
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

/** Other methods than reads change things: they are for ids that the caller must not find. */
const bodies: Record<string, object> = {
  "PATCH /v1/runs/{id}": { visibility: "public" },
  "POST /v1/runs/{id}/hide": { reason: "x" },
};

/**
 * Every operation of the service's own OpenAPI document, asked about these ids: status and text of the reply by
 * operation. Ids, and what differs from one request to the next, are replaced by their names.
 */
export async function everyReply(
  api: Api,
  ids: NamedIds,
  headers: Record<string, string>,
  methods: readonly string[] = ["get"],
): Promise<Map<string, string>> {
  const { paths } = (await (await api.send("GET", "/v1/openapi.json")).json()) as {
    paths: Record<string, object>;
  };
  const replies = new Map<string, string>();
  for (const [template, operations] of Object.entries(paths)) {
    for (const method of methods.filter((one) => one in operations)) {
      const name = `${method.toUpperCase()} ${template}`;
      const reply = await api.send(
        method.toUpperCase(),
        addressOf(template, ids),
        method === "get" || method === "delete" ? undefined : (bodies[name] ?? {}),
        headers,
      );
      replies.set(name, withoutIds(`${reply.status} ${await reply.text()}`, ids));
    }
  }
  return replies;
}

function addressOf(
  template: string,
  { run, submission, dataset, slug, board, suite = "relay" }: NamedIds,
): string {
  const [owner = "", model = ""] = slug.split("/");
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
    .replace("{model}", model);
  const query = { suite, dataset, runs: `${run},${run}x`, submissions: submission };
  return `${path}?${new URLSearchParams(query)}`;
}

/** A reply with names in place of ids, longest first because some contain others. */
export function withoutIds(text: string, ids: NamedIds): string {
  const known = Object.entries(ids).sort(([, a], [, b]) => b.length - a.length);
  return known
    .reduce((its, [name, id]) => (id === "" ? its : its.replaceAll(id, `<${name}>`)), text)
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""');
}
