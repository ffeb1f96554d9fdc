import {
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
  textOrJson,
} from "#shared/contracts/json.ts";
import {
  type HttpTemplate,
  type TemplateValue,
  templateValues,
} from "#shared/contracts/submissions/http-template.ts";
import { BadInput } from "../../errors.ts";
import { serviceKeys } from "../endpoint-keys.ts";
import { type Answerer, type AskedLine, messageOf } from "./asked-line.ts";
import { nextId } from "./program-process.ts";
import { isError } from "./target-answer.ts";
import { quoted, TargetFailure, withoutSecrets } from "./target-failure.ts";

/** Maximum bytes of a reply. */
const MAX_BYTES = 4 << 20;

/** A placeholder within a text, and a placeholder that is the whole text. */
const placeholder = /\{\{\s*(\w+)\s*\}\}/g;
const onlyPlaceholder = /^\{\{\s*(\w+)\s*\}\}$/;
const variable = /\$\{([A-Za-z_]\w*)\}/g;
/** Invalid characters in a header's value: they could add another header, or be refused in transit. */
const unsendable = /[^\t\x20-\x7e]/;
/** Headers that carry secrets, which belong in the environment. */
const secretHeader = /authorization|cookie|key|token|secret|password/i;

/** Error statuses that are passed on to the service; all others are final. */
const understood = new Set([401, 403, 404, 408, 429]);

/**
 * An HTTP interface that is called by a template. Throws BadInput for an unknown placeholder, an unset variable,
 * and a literal secret in the template. `name`: for messages.
 */
export function httpTarget(name: string, template: HttpTemplate, env: NodeJS.ProcessEnv): Answerer {
  const { url, method = "POST", body, reply } = template;
  checkPlaceholders(name, [url, (body ?? null) as Json]);
  const { headers, secrets } = headersOf(name, template.headers ?? {}, env);
  const hasBody = method !== "GET";
  return {
    async ask(line, signal) {
      const values = valuesOf(line);
      const sent = body === undefined ? { id: nextId(), ...line } : filled(body as Json, values);
      const response = await fetch(filledUrl(url, values), {
        method,
        headers: { ...(hasBody && { "content-type": "application/json" }), ...headers },
        ...(hasBody && { body: textOrJson(sent) }),
        redirect: "manual",
        signal,
      }).catch((error: unknown) => {
        if (signal.aborted) throw signal.reason;
        throw new TargetFailure(502, `${name} can't be reached: ${causeOf(error)}`);
      });
      const text = withoutSecrets(await bounded(response, signal), secrets);
      if (!response.ok) throw refusal(name, response, text);
      return { answer: answerIn(name, text, reply), workedMs: null };
    },
  };
}

function checkPlaceholders(name: string, template: Json): void {
  const known: readonly string[] = templateValues;
  for (const [, one = ""] of JSON.stringify(template).matchAll(placeholder)) {
    if (known.includes(one)) continue;
    throw new BadInput(`${name}: unknown {{${one}}}; there is ${known.join(", ")}`);
  }
}

function headersOf(name: string, given: Record<string, string>, env: NodeJS.ProcessEnv) {
  const secrets: string[] = [];
  const read = (text: string) =>
    text.replace(variable, (_, of: string) => {
      const value = env[of]?.trim();
      if (serviceKeys.has(of)) {
        throw new BadInput(`${name}: ${of} is the key of the service and is never sent elsewhere`);
      }
      if (!value) throw new BadInput(`${name}: the environment variable ${of} is not set`);
      secrets.push(value);
      return value;
    });
  const entries = Object.entries(given).map(([header, text]): [string, string] => {
    if (secretHeader.test(header) && text.search(variable) < 0) {
      throw new BadInput(
        `${name}: the header ${header} contains its value: set it in the environment or .env, and write \${NAME}`,
      );
    }
    if (text.search(placeholder) >= 0) {
      throw new BadInput(
        `${name}: the header ${header} has {{…}}, which is filled in only in url and body: write its value, or \${NAME} of the environment`,
      );
    }
    const value = read(text);
    if (unsendable.test(value)) {
      throw new BadInput(
        `${name}: the header ${header} has a line break or another character that is not visible ASCII: check the template and its variables`,
      );
    }
    return [header, value];
  });
  try {
    return { headers: Object.fromEntries(new Headers(entries)), secrets };
  } catch {
    // The original error quotes the header.
    throw new BadInput(`${name}: a header has a name or value that can't be sent`);
  }
}

/** The values of placeholders for a line. */
function valuesOf(line: AskedLine): Record<TemplateValue, Json> {
  const { messages = [], schema = null, tools = null, input = null, sample = null } = line;
  return {
    prompt: messageOf(messages, "user"),
    system: messageOf(messages, "system"),
    messages,
    schema,
    tools,
    input,
    sample,
    id: nextId(),
    parameters: line["parameters"] ?? {},
  };
}

/**
 * A template with its placeholders filled in. A text that is only a placeholder becomes the JSON value; within a longer
 * text, a value that is not a text is written as JSON.
 */
export function filled(template: Json, values: Readonly<Record<string, Json>>): Json {
  if (typeof template === "string") {
    const [, only] = onlyPlaceholder.exec(template) ?? [];
    if (only !== undefined) return values[only] ?? null;
    return template.replace(placeholder, (_, name: string) => textOrJson(values[name] ?? null));
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, values));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, one]) => [name, filled(one, values)]),
  );
}

const filledUrl = (url: string, values: Readonly<Record<string, Json>>): string =>
  url.replace(placeholder, (_, name: string) =>
    encodeURIComponent(textOrJson(values[name] ?? null)),
  );

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
};

/** The body of a reply as text, up to the size limit. */
async function bounded(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new TargetFailure(502, `the reply broke off: ${causeOf(error)}`);
  }
  if (bytes <= MAX_BYTES) return text + decoder.decode();
  throw new TargetFailure(413, `the reply has more than ${MAX_BYTES >> 20} MB`);
}

function refusal(name: string, { status, headers }: Response, text: string): TargetFailure {
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? "a redirect, which is not followed: give the final address"
    : quoted(text);
  const known = understood.has(status) || status >= 500;
  const message = `${name} answered with status ${status}: ${reason}`;
  return new TargetFailure(known ? status : 424, message, headers.get("retry-after"));
}

/** Converts a reply to the format of a program's line. */
function answerIn(name: string, text: string, reply: HttpTemplate["reply"]): JsonObject {
  const value = parsedJson(text) as Json | undefined;
  if (reply === undefined) return isJsonObject(value) ? value : { text };
  if (value === undefined) {
    throw new TargetFailure(502, `${name} answered with no JSON: ${quoted(text)}`);
  }
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAt(value, path));
  const error = at(reply.error);
  if (isError(error)) return { error: error! };
  const paths = { text: reply.text, tool_calls: reply.tool_calls };
  const found = Object.entries(paths).flatMap(([field, path]) => {
    const one = at(path);
    return one === undefined ? [] : [[field, one] as const];
  });
  if (found.length === 0) {
    const named = Object.values(paths).filter((path) => path !== undefined);
    throw new TargetFailure(
      502,
      `${name} answered with nothing at ${named.join(" or ")}: ${quoted(text)}`,
    );
  }
  const { input_tokens, output_tokens } = reply.usage ?? {};
  const usage = {
    input_tokens: at(input_tokens) ?? null,
    output_tokens: at(output_tokens) ?? null,
  };
  return { ...Object.fromEntries(found), ...(reply.usage && { usage }) };
}

/**
 * The value at a path of names and indices, or undefined.
 * @example valueAt({ a: [{ b: 1 }] }, "a[0].b") // 1
 */
export function valueAt(value: Json, path: string): Json | undefined {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "" && step !== "$");
  let at: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)];
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}
