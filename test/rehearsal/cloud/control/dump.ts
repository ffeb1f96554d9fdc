import type { DataPlane } from "./options.ts";

type Row = Record<string, unknown>;
type Query = (id: string, sql: string) => Promise<Row[]>;

/** Statements that make a database from nothing. */
export async function dumpOf(query: Query, id: string): Promise<string[]> {
  const made = await query(
    id,
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      AND name NOT LIKE '_cf_%' ORDER BY type = 'index'`,
  );
  const rows: string[] = [];
  for (const { type, name } of made) {
    if (type !== "table") continue;
    const columns = await query(id, `SELECT name FROM pragma_table_info('${name}')`);
    const values = columns.map((one, i) => `quote("${one["name"]}") AS c${i}`).join(", ");
    const lines = await query(id, `SELECT ${values} FROM "${name}"`);
    rows.push(...lines.map((one) => `INSERT INTO "${name}" VALUES (${Object.values(one).join()})`));
  }
  const sqlOf = (wanted: string) =>
    made.filter(({ type }) => type === wanted).map(({ sql }) => `${sql}`);
  return [...sqlOf("table"), ...rows, ...sqlOf("index")];
}

export const queryOf =
  (data: Pick<DataPlane, "query">): Query =>
  async (id, sql) => {
    const [result] = (await data.query(id, sql, [])) as { results: Row[] }[];
    return result?.results ?? [];
  };
