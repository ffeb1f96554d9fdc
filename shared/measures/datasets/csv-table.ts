import type { JsonObject } from "../../contracts/json.ts";

/** Parses records with a header, by `csv-parse`, whose builds for Node and browsers are imported by their users. */
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

/** How a table is written. */
export interface TableForm {
  /** Names of its columns, if it has no header. */
  columns?: string[] | undefined;
  /** Whether cells can be quoted; default: true. */
  quotes?: boolean | undefined;
  /** Whether cells are separated by tabs; default: by what the first line has most of. */
  hasTabs?: boolean;
}

/**
 * Rows of CSV, as texts by column; an empty cell is missing. Cells are separated by the one of comma, semicolon and tab
 * that the first line has most of. Throws what `parse` throws, and a RangeError for a name that two columns have.
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
