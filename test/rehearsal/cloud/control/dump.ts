import type { DataPlane } from "./options.ts";

type Row = Record<string, unknown>;

/** Runs statements in one transaction and returns the rows of each. */
type Query = (id: string, ...statements: string[]) => Promise<Row[][]>;

/** SQL statements that recreate a database. Reads all rows in one transaction, because Workers write at the same time. */
export async function dumpOf(query: Query, id: string): Promise<string[]> {
  const [made = []] = await query(
    id,
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      AND name NOT LIKE '_cf_%' ORDER BY type = 'index'`,
  );
  const tables = made.flatMap(({ type, name }) => (type === "table" ? [`${name}`] : []));
  const columns = await query(
    id,
    ...tables.map((table) => `SELECT name FROM pragma_table_info('${table}')`),
  );
  const lines = await query(
    id,
    ...tables.map((table, at) => {
      const values = columns[at]?.map((one, i) => `quote("${one["name"]}") AS c${i}`).join(", ");
      return `SELECT ${values} FROM "${table}"`;
    }),
  );
  const rows = tables.flatMap(
    (table, at) =>
      lines[at]?.map((one) => `INSERT INTO "${table}" VALUES (${Object.values(one).join()})`) ?? [],
  );
  const sqlOf = (wanted: string) =>
    made.filter(({ type }) => type === wanted).map(({ sql }) => `${sql}`);
  return [...sqlOf("table"), ...rows, ...sqlOf("index")];
}

export const queryOf =
  (data: Pick<DataPlane, "query">): Query =>
  async (id, ...statements) => {
    if (statements.length === 0) return [];
    const results = (await data.query(id, statements.join(";\n"), [])) as { results: Row[] }[];
    return results.map((one) => one.results);
  };
