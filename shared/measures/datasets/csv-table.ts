import type { JsonObject } from "../../contracts/json.ts";

/** Parses records with a header, as `csv-parse` does. Callers import its build for Node or for browsers. */
type Parse = (
  text: string,
  options: {
    columns: string[] | ((header: string[]) => string[]);
    bom: true;
    skip_empty_lines: true;
    delimiter: string;
    quote: '"' | false;
  },
) => unknown;

/** Format of a table. */
export interface TableForm {
  /** Column names of a table without a header. */
  columns?: string[] | undefined;
  /** Whether cells can be quoted; default: true. */
  quotes?: boolean | undefined;
  /** Whether tabs separate cells; default: the most frequent separator in the first line. */
  hasTabs?: boolean;
}

/**
 * Rows of CSV as texts by column; empty cells are omitted. The separator is the most frequent one of comma, semicolon
 * and tab in the first line. Throws the errors of `parse`, and a RangeError for a duplicate column name.
 * @example csvTable("id;text\na;Hi\n", parse) // [{ id: "a", text: "Hi" }]
 */
export function csvTable(
  text: string,
  parse: Parse,
  { columns: given, quotes = true, hasTabs = false }: TableForm = {},
): JsonObject[] {
  const delimiter = hasTabs ? "\t" : delimiterOf(text);
  const named = (header: string[]) => {
    const seen = new Set<string>();
    const twice = header.find((name) => seen.size === seen.add(name).size);
    if (twice === undefined) return header;
    throw new RangeError(`it has two columns "${twice}"`);
  };
  const options = {
    columns: given ?? named,
    bom: true,
    skip_empty_lines: true,
    delimiter,
    quote: quotes ? '"' : false,
  } as const;
  const rows = parse(text, options) as Record<string, string>[];
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== "")),
  );
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split(/\r?\n/, 1);
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const count = (one: string) => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
