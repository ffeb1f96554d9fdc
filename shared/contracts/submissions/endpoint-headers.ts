import { z } from "zod";

/** More than any gateway needs. With the size limits below, all headers fit into a proxy's 16 kB. */
const MAX_HEADERS = 20;
const MAX_NAME = 100;
const MAX_VALUE = 4_096;

/** A field name (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Characters of a field value: visible ASCII, with blanks only between. RFC 9110 (5.5) also allows Latin-1, but
 * workerd sends it as UTF-8 and logs a warning that contains the whole value.
 */
const visible = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** Message for an invalid value. */
const wanted = "must be visible ASCII characters on one line, without blanks around";

/** Headers that belong to the service or its platform, and why a submission can't set them. */
const reserved: readonly [pattern: RegExp, reason: string][] = [
  [/^authorization$/, "is set from apiKey: give the key there"],
  [/^(content-.*|accept|accept-encoding|expect|user-agent)$/, "is set by Assay itself"],
  [/^(cookie|cookie2|set-cookie)$/, "belongs to a person's session, which no endpoint needs"],
  [
    /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings)$/,
    "is about the connection, not the request",
  ],
  [
    /^(host|via|forwarded|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip)$/,
    "would forge who is called or who calls",
  ],
  [
    /^(x-original-.*|x-rewrite-.*|x-http-method.*|x-method-override)$/,
    "would change what is called",
  ],
  // Keys of Cloudflare Access and AI Gateway belong to the submitter.
  [/^(cf-(?!access-|aig-).*|cdn-loop|x-amz-cf-.*)$/, "is set by the network that carries the call"],
  [/^sec-/, "is set only by browsers"],
];

/**
 * Why a submission can't set a header, as a phrase that follows the header's name; null if it can. Names are compared
 * case-insensitively, as in HTTP.
 * @example headerProblem("X-Api-Key", "k") // null
 * @example headerProblem("HOST", "a.example") // "would forge who is called or who calls"
 */
export function headerProblem(name: string, value: string): string | null {
  if (!token.test(name) || name.length > MAX_NAME) {
    return `is no header name: letters, digits and !#$%&'*+-.^_\`|~, at most ${MAX_NAME}`;
  }
  const rule = reserved.find(([pattern]) => pattern.test(name.toLowerCase()));
  if (rule) return rule[1];
  if (value.length > MAX_VALUE) return `must be at most ${MAX_VALUE} characters`;
  return visible.test(value) ? null : wanted;
}

/**
 * Problems of an endpoint's headers, by name; empty if there are none. Two names that differ only in case would be
 * merged on the way to the endpoint.
 * @example headerProblems({}) // []
 */
export function headerProblems(
  headers: Record<string, string>,
): { name: string; reason: string }[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const isTwice = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const reason = isTwice ? "is a duplicate, in different case" : headerProblem(name, value);
    return reason === null ? [] : [{ name, reason }];
  });
}

/** Headers that an endpoint needs in addition to its key. Values are stored encrypted and never shown again. */
export const endpointHeadersSchema = z
  .record(z.string().meta({ maxLength: MAX_NAME }), z.string().meta({ maxLength: MAX_VALUE }))
  .superRefine((headers, context) => {
    const count = Object.keys(headers).length;
    if (count > MAX_HEADERS) {
      context.addIssue({
        code: "custom",
        message: `must be at most ${MAX_HEADERS} headers, not ${count}`,
      });
    }
    for (const { name, reason } of headerProblems(headers).slice(0, MAX_HEADERS)) {
      context.addIssue({
        code: "custom",
        path: [name],
        message: `"${name.slice(0, MAX_NAME)}" ${reason}`,
      });
    }
  })
  .meta({
    maxProperties: MAX_HEADERS,
    description:
      "sent with every call, encrypted like the key; headers such as authorization and host are not allowed",
    example: { "api-key": "…" },
  });

/** A key that can be sent in a header. */
export const endpointKeySchema = z.string().min(1).max(MAX_VALUE).regex(visible, { error: wanted });
