import { expect, it, vi } from "vitest";
import { rowsFetcher } from "../../../api/providers/fetch-rows.ts";

const mebibyte = 1024 * 1024;
const rules = { allowPrivateEndpoints: false, ownHosts: [] };
const asked = { url: "https://logs.example.com/rows", etag: '"one"' };

/** The fetcher's result for a server's answer, in the production runtime. */
function fetched(answer: typeof fetch, timeoutMs = 5_000) {
  vi.stubGlobal("fetch", answer);
  return rowsFetcher(rules, timeoutMs)(asked);
}

/** A body of `parts` parts that then ends or hangs. */
const streamOf = (parts: number, part: Uint8Array, ends = true) => {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ < parts) controller.enqueue(part);
      else if (ends) controller.close();
      else return new Promise(() => {});
      return;
    },
  });
};
const gzip = (stream: ReadableStream<Uint8Array>) =>
  stream.pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);

it("rowsFetcher() reads plain and compressed files in workerd, and recognises unchanged ones", async () => {
  const text = '{"id":"größe"}\n'.repeat(50_000);
  const bytes = () => streamOf(3, new TextEncoder().encode(text));
  for (const body of [bytes(), gzip(bytes())]) {
    const found = await fetched(async () => new Response(body, { headers: { etag: '"two"' } }));
    expect(found).toMatchObject({ kind: "rows", etag: '"two"' });
    expect(found.kind === "rows" && new TextDecoder().decode(found.file)).toBe(text.repeat(3));
  }
  const init: (RequestInit | undefined)[] = [];
  const unchanged = await fetched(async (_, sent) => {
    init.push(sent as RequestInit);
    return new Response(null, { status: 304 });
  });
  expect(unchanged).toEqual({ kind: "unchanged" });
  expect(init).toMatchObject([{ redirect: "manual", headers: { "if-none-match": '"one"' } }]);
});

it("rowsFetcher() limits size, also when unpacked, and time, also within a file, in workerd", async () => {
  const part = new Uint8Array(mebibyte).fill(0x78);
  const failures = [
    await fetched(async () => new Response(streamOf(26, part))),
    await fetched(async () => new Response(gzip(streamOf(26, part)))),
    await fetched(async () => new Response(streamOf(1, part, false)), 200),
    await fetched(
      (_, init) =>
        new Promise((_resolve, reject) => {
          const { signal } = init as RequestInit;
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      200,
    ),
    await fetched(async () => new Response(new Uint8Array([0x1f, 0x8b, 1, 2, 3]))),
    await fetched(async () => Response.redirect("https://10.0.0.1/", 302)),
  ];
  expect(
    failures.map((one) => (one.kind === "failed" ? one.detail.slice(0, 44) : one.kind)),
  ).toEqual([
    "it has more than 25 MB (unpacked): give only",
    "it has more than 25 MB (unpacked): give only",
    "it did not arrive within 0.2 s",
    "it did not arrive within 0.2 s",
    "it begins like a gzip file, but can't be unp",
    "its server redirects (302), which is not fol",
  ]);
});
