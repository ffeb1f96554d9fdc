/** Samples of each copy. */
const SAMPLES = 10;

/** The numbers of the copies of a run, and the number of their models, each of which has its own board. */
export interface Copies {
  run: string;
  first: number;
  last: number;
  models: number;
}

/** SQL values of a copy that differ from the run's. */
const changed = (models: number): Record<string, string> => ({
  id: "runs.id || '-' || n.i",
  model_slug: `'bench/copy-' || (n.i % ${models})`,
  board_id: `'copy-' || (n.i % ${models})`,
});

const numbers = "WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)";

/** Stores copies of a finished run with the first samples. */
export async function copyRun(db: D1Database, { run, first, last, models }: Copies) {
  const columns = await columnsOf(db, "runs");
  const values = columns.map((column) => changed(models)[column] ?? `runs.${column}`);
  const sampleColumns = await columnsOf(db, "samples");
  const sampleValues = sampleColumns.map((column) =>
    column === "run_id" ? "run_id || '-' || n.i" : column,
  );
  const copies = [
    `INSERT INTO runs (${columns}) ${numbers} SELECT ${values} FROM runs, n WHERE runs.id = ?1`,
    `INSERT INTO samples (${sampleColumns}) ${numbers} SELECT ${sampleValues} FROM samples, n
       WHERE run_id = ?1 AND seq < ${SAMPLES}`,
  ];
  await db.batch(copies.map((sql) => db.prepare(sql).bind(run, first, last)));
}

/** Adds copies of a run to its board, ranked below it. */
export async function listCopies(db: D1Database, run: string, copies: number) {
  await db.prepare(LIST_COPIES).bind(run, 1, copies).run();
}

const LIST_COPIES = `UPDATE boards SET entries = (
    ${numbers}, listed(entry) AS (
      SELECT value FROM json_each(boards.entries)
      UNION ALL
      SELECT json_set(boards.entries -> 0, '$.rank', n.i + 1, '$.run', ?1 || '-' || n.i,
        '$.model.slug', 'bench/copy-' || n.i) FROM n
    ) SELECT json_group_array(json(entry)) FROM listed)
  WHERE id = (SELECT board_id FROM runs WHERE id = ?1)`;

async function columnsOf(db: D1Database, table: string): Promise<string[]> {
  const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
  return results.map(({ name }) => name);
}
