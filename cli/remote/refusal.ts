import { problemLines } from "./problem-lines.ts";
import { retryAfterOf } from "./retry-after.ts";
import { KEY_VARIABLE, type ServiceAccess } from "./service-access.ts";
import { ServiceError, stranger } from "./service-error.ts";

/** What a reply that is not `ok` says. `scope`: what a key must be allowed for the call. */
export async function refusal(
  access: ServiceAccess,
  scope: string,
  path: string,
  response: Response,
): Promise<ServiceError> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    return stranger(access.origin, path, `by sending to ${headers.get("location")}`);
  }
  const isPassing = status === 429 || status >= 500;
  const isClosed = status === 401 || status === 403;
  const said = await problemLines(response);
  // Proxies before a service, and the platform, have replies of their own to these.
  if (said === null && !isPassing && !isClosed) {
    return stranger(access.origin, path, `with ${status}`);
  }
  const [detail, ...fields] = said ?? [`it answers ${status}`];
  const reason = fields.length === 0 ? detail : `${detail}: ${fields.join("; ")}`;
  const advice = isClosed ? `; ${adviceOnKey(access, scope)}` : "";
  return new ServiceError(`${access.origin}: ${reason}${advice}`, {
    isPassing,
    retryAfterSeconds: retryAfterOf(response),
    status,
  });
}

function adviceOnKey({ apiKey }: ServiceAccess, scope: string): string {
  const wanted = `set ${KEY_VARIABLE} to a key with the scope ${scope}`;
  return apiKey === null ? wanted : `${wanted}, or unset it for a service that wants none`;
}
