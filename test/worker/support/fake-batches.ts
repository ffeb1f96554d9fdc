import { vi } from "vitest";

/** A request of a batch. */
interface Line {
  custom_id: string;
  body: { messages: { role: string; content: string }[]; model: string };
}

interface Batch {
  id: string;
  metadata: Record<string, string>;
  lines: Line[];
  status: "in_progress" | "completed" | "expired" | "cancelled";
  results: string[];
}

interface Habits {
  /** The model's answer. */
  answer?: (line: Line) => string;
  /** Whether a request expires in the batch with this number, from 0. */
  expires?: (line: Line, batch: number) => boolean;
  /** Whether the reply to the creation of this batch is lost. */
  isUnheard?: (batch: number) => boolean;
  /** Replies to other requests, such as embeddings. */
  other?: (path: string, body: unknown) => object | null;
}

const upperCase = ({ body }: Line): string => body.messages.at(-1)!.content.toUpperCase();

/**
 * Replaces `fetch` by a fake of OpenAI's batches for the duration of a test. `end()` ends batches, with results in reverse
 * order. `asked`: the last message of every accepted request.
 */
export function fakeBatches({
  answer = upperCase,
  expires = () => false,
  isUnheard = () => false,
  other = () => null,
}: Habits = {}) {
  const files = new Map<string, string>();
  const batches: Batch[] = [];
  const asked: string[] = [];
  const cancelled: string[] = [];
  const addFile = (text: string) => {
    const id = `file-${files.size}`;
    files.set(id, text);
    return id;
  };
  const shown = ({ id, metadata, status, results }: Batch) => {
    const ok = results.filter((line) => line.includes('"status_code":200'));
    const failed = results.filter((line) => !ok.includes(line));
    const fileOf = (lines: string[]) => (lines.length === 0 ? null : addFile(lines.join("\n")));
    return {
      id,
      metadata,
      status,
      created_at: 1,
      input_file_id: null,
      output_file_id: status === "in_progress" ? null : fileOf(ok),
      error_file_id: status === "in_progress" ? null : fileOf(failed),
    };
  };
  const create = ({
    input_file_id: file,
    metadata,
  }: { input_file_id: string } & Pick<Batch, "metadata">) => {
    const lines = files.get(file)!.trim().split("\n");
    const batch: Batch = {
      id: `batch_${batches.length}`,
      metadata,
      lines: lines.map((line) => JSON.parse(line) as Line),
      status: "in_progress",
      results: [],
    };
    batches.push(batch);
    asked.push(...batch.lines.map(({ body }) => body.messages.at(-1)!.content));
    if (isUnheard(batches.length - 1)) throw new TypeError("the connection was lost");
    return shown(batch);
  };
  const routeFile = async (method: string, id: string | undefined, body: unknown) => {
    if (method === "GET") return new Response(files.get(id!));
    if (method !== "POST") return Response.json({ deleted: true });
    const file = (body as FormData).get("file") as File;
    return Response.json({ id: addFile(await file.text()) });
  };
  const routeBatch = (method: string, id: string | undefined, action: string, body: unknown) => {
    if (id === undefined && method === "POST") {
      return Response.json(create(JSON.parse(String(body))));
    }
    if (id === undefined) {
      return Response.json({ data: batches.toReversed().map(shown), has_more: false });
    }
    if (action === "cancel") cancelled.push(id);
    return Response.json(shown(batches.find((one) => one.id === id)!));
  };
  const route = async (method: string, path: string, body: unknown) => {
    const [, , of, id, action = ""] = path.split("?")[0]!.split("/");
    if (of === "files") return routeFile(method, id, body);
    if (of === "batches") return routeBatch(method, id, action, body);
    const reply = other(path, body && JSON.parse(String(body)));
    return reply
      ? Response.json(reply)
      : Response.json({ error: { message: path } }, { status: 404 });
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
    return route(init?.method ?? "GET", pathname + search, init?.body);
  });
  const resultOf = (line: Line, batch: number) => {
    const { custom_id } = line;
    if (expires(line, batch)) {
      const error = { code: "batch_expired", message: "not executed in time" };
      return JSON.stringify({ custom_id, response: null, error });
    }
    const body = {
      object: "chat.completion",
      model: line.body.model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: answer(line) },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    };
    return JSON.stringify({ custom_id, response: { status_code: 200, body }, error: null });
  };
  return {
    batches,
    asked,
    cancelled,
    /** Ends all batches. */
    end() {
      for (const [number, batch] of batches.entries()) {
        if (batch.status !== "in_progress") continue;
        batch.results = batch.lines.map((line) => resultOf(line, number)).reverse();
        const isExpired = batch.results.some((line) => line.includes("batch_expired"));
        batch.status = isExpired ? "expired" : "completed";
      }
    },
  };
}
