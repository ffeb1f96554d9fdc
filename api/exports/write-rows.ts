import { csvRecord } from "#shared/contracts/text/csv.ts";

export type Pages<Row> = AsyncIterable<readonly Row[]>;

type Cells = Readonly<Record<string, unknown>>;

/** Rows as CSV records under a header; the columns may depend on the first page. */
export async function* csvRows(
  pages: Pages<Cells>,
  columnsOf: (first: readonly Cells[]) => readonly string[],
): AsyncGenerator<string> {
  let columns: readonly string[] | null = null;
  for await (const rows of pages) {
    const header = columns === null;
    columns ??= columnsOf(rows);
    const its = columns;
    const records = rows.map((row) => csvRecord(its.map((column) => row[column])));
    const text = [...(header ? [csvRecord(its)] : []), ...records].join("");
    if (text !== "") yield text;
  }
  if (columns === null) yield csvRecord(columnsOf([]));
}

export async function* jsonLines(pages: Pages<string>): AsyncGenerator<string> {
  for await (const rows of pages) {
    if (rows.length > 0) yield rows.map((row) => `${row}\n`).join("");
  }
}

/** JSON texts as one array, one element per line. */
export async function* jsonArray(pages: Pages<string>): AsyncGenerator<string> {
  let isFirst = true;
  yield "[";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield `${isFirst ? "\n" : ",\n"}${rows.join(",\n")}`;
    isFirst = false;
  }
  yield isFirst ? "]\n" : "\n]\n";
}

/** Text chunks as a response body. Each is produced when the reader pulls, which bounds memory. */
export function textStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
