/**
 * The signature of a webhook by its definition alone: base64 of the HMAC-SHA256 of `id.timestamp.body` by the
 * bytes behind `whsec_`. Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
export async function referenceSignature(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace("whsec_", "")), (c) => c.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}
