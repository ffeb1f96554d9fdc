import { env } from "cloudflare:workers";

/** Lists copies of a run on its board, each with its own model. */
export async function addModels(run: string, board: string, count: number) {
  await addCopies(run, count, {
    model_slug: "'acme/copy-' || value",
    model: "json_set(model, '$.slug', 'acme/copy-' || value)",
  });
  await env.DB.prepare(
    "INSERT INTO attempts SELECT ?1, 'acme/copy-' || value, 1 FROM json_each(?2)",
  )
    .bind(board, numbersBelow(count))
    .run();
}

const numbersBelow = (count: number) => JSON.stringify(Array.from({ length: count }, (_, i) => i));

/** Adds copies of a run. `expressions`: SQL by column, in which `value` is the number of the copy. */
export async function addCopies(run: string, count: number, expressions: Record<string, string>) {
  const { results } = await env.DB.prepare("PRAGMA table_info(runs)").all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  const changed: Record<string, string> = { id: "runs.id || '-' || value", ...expressions };
  const values = columns.map((column) => changed[column] ?? `runs.${column}`);
  await env.DB.prepare(
    `INSERT INTO runs (${columns}) SELECT ${values} FROM runs, json_each(?2) WHERE runs.id = ?1`,
  )
    .bind(run, numbersBelow(count))
    .run();
}
