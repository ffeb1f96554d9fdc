/** Models that the copies are of, and boards that they stand on. */
const MODELS = 100;
/** Samples that each copy has. */
const SAMPLES = 10;

/** What a copy has in place of the run's own. */
const changed: Record<string, string> = {
  id: "runs.id || '-' || n.i",
  model_slug: `'bench/copy-' || (n.i % ${MODELS})`,
  board_id: `'copy-' || (n.i % ${MODELS})`,
};

/** Stores copies `first` to `last` of a finished run with its first samples, by other models and on other boards. */
export async function copyRun(db: D1Database, run: string, first: number, last: number) {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)";
  const columns = await columnsOf(db, "runs");
  const values = columns.map((column) => changed[column] ?? `runs.${column}`);
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

async function columnsOf(db: D1Database, table: string): Promise<string[]> {
  const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
  return results.map(({ name }) => name);
}
