import { setTimeout } from "node:timers/promises";
import { parsedJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { type ServiceAccess, serviceAccess } from "../remote/service-access.ts";
import { retryAfterOf } from "../remote/service-error.ts";

/** The hub may first read the whole dataset's files for a page. */
const TIMEOUT_MS = 60_000;

/** Initial wait between attempts, doubled each time: half a minute in total, the time to prepare a dataset. */
const FIRST_WAIT_SECONDS = 1;
const ATTEMPTS = 6;

/** A requested wait above this is an error. */
const MAX_WAIT_SECONDS = 120;

/** Error codes of a 500 that may be temporary; other codes concern the dataset. */
const passingCodes = new Set([
  "ResponseNotReady",
  "UnexpectedApiError",
  "AuthCheckHubRequestError",
  "JWTKeysError",
]);

/** Maximum redirects: one for each renaming of a dataset. */
const MAX_REDIRECTS = 4;

/** A JSON reply, with its commit if stated. */
export interface HubReply {
  body: unknown;
  revision: string | null;
}

/** GETs JSON, with retries for temporary failures. Throws BadInput, which never contains the token. */
export async function askHub(access: ServiceAccess, path: string): Promise<HubReply> {
  for (let attempt = 1; ; attempt++) {
    const got = await tryOnce(access, path);
    if ("body" in got) return got;
    const wait = got.retryAfterSeconds ?? FIRST_WAIT_SECONDS * 2 ** (attempt - 1);
    if (wait > MAX_WAIT_SECONDS) {
      throw problem(access, `${got.reason}; it requests a wait of ${wait} s`);
    }
    if (attempt === ATTEMPTS) {
      throw problem(access, `${got.reason}; tried ${ATTEMPTS} times: try again later`);
    }
    await setTimeout(1000 * wait);
  }
}

/** An attempt that may succeed later. */
interface Miss {
  reason: string;
  retryAfterSeconds: number | null;
}

async function tryOnce(access: ServiceAccess, path: string): Promise<HubReply | Miss> {
  const headers = new Headers({ accept: "application/json" });
  if (access.apiKey !== null) headers.set("authorization", `Bearer ${access.apiKey}`);
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetchThere(access, new URL(`${access.origin}${path}`), { headers, signal });
    text = await response.text();
  } catch (error) {
    if (error instanceof BadInput) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const why = name === "TimeoutError" ? "it took too long" : (cause?.code ?? name);
    return { reason: `can't be reached (${why})`, retryAfterSeconds: null };
  }
  const body = parsedJson(text);
  if (!response.ok) return refused(access, response, body);
  if (body === undefined) throw problem(access, `answers ${path} with something other than JSON`);
  return { body, revision: response.headers.get("x-revision") };
}

/** Follows redirects of renamed datasets within the same origin, so that the token is sent to no other origin. */
async function fetchThere(access: ServiceAccess, first: URL, init: RequestInit): Promise<Response> {
  let url = first;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    const next = URL.parse(location, url);
    if (next?.origin !== access.origin || next.username !== "" || next.password !== "") {
      throw problem(access, `redirects ${first.pathname} elsewhere, which is not followed`);
    }
    url = next;
  }
  throw problem(access, `redirects ${first.pathname} too often`);
}

/** An error without the token, which a reply may repeat. */
function problem({ origin, apiKey }: ServiceAccess, what: string): BadInput {
  const message = `${origin} ${what}`;
  return new BadInput(apiKey === null ? message : message.replaceAll(apiKey, "…"));
}

function refused(access: ServiceAccess, response: Response, body: unknown): Miss {
  const { status, headers } = response;
  const detail = (body as { error?: unknown } | null | undefined)?.error;
  const reason = `answers ${status}${typeof detail === "string" ? `: ${detail}` : ""}`;
  const code = headers.get("x-error-code");
  const isPassing =
    status === 429 ||
    (status === 500 && (code === null || passingCodes.has(code))) ||
    isGateway(status);
  if (isPassing) return { reason, retryAfterSeconds: retryAfterOf(response) };
  throw problem(access, `${reason}${adviceOn(status, access)}`);
}

const isGateway = (status: number): boolean => status >= 502 && status <= 504;

function adviceOn(status: number, { apiKey }: ServiceAccess): string {
  if (status !== 401 && status !== 403 && status !== 404) return "";
  return apiKey === null
    ? `; is the name right? For a private or gated dataset set ${TOKEN_VARIABLE}`
    : `; is the name right, and may the token in ${TOKEN_VARIABLE} read it?`;
}

/** The variable of the environment that holds the access token of Hugging Face. */
const TOKEN_VARIABLE = "HF_TOKEN";

/** The variable with one address for both services, for a mirror or a test. */
const ADDRESS_VARIABLE = "ASSAY_HF_URL";

/** Addresses of the descriptions and of the rows of datasets. */
export interface HubAccess {
  hub: ServiceAccess;
  viewer: ServiceAccess;
}

/** The addresses from the environment. Throws BadInput if the token can't be sent there. */
export function hubAccess(): HubAccess {
  const mirror = process.env[ADDRESS_VARIABLE]?.trim() || null;
  const at = (address: string): ServiceAccess =>
    serviceAccess(mirror ?? address, process.env[TOKEN_VARIABLE], ADDRESS_VARIABLE, TOKEN_VARIABLE);
  return {
    hub: at("https://huggingface.co"),
    viewer: at("https://datasets-server.huggingface.co"),
  };
}
