// Receives webhooks of Assay and prints what they tell. Needs Node 20 or later, nothing else.
// Set SECRET to what `assay webhooks create` printed; PORT as needed.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { SECRET = "", PORT = "3000" } = process.env;
const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");
if (key.length === 0) throw new Error("SECRET is not set");
const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 100_000;
// An event can come twice. Keep what you have seen where a restart does not lose it.
const seen = new Set();

/** Whether a request is Assay's own: signed by the secret, and not an old one sent again. */
function isGenuine(headers, body) {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // After a rotation there are two.
  const signatures = (headers["webhook-signature"] ?? "").split(" ");
  return signatures.some((signature) => {
    const [version, base64 = ""] = signature.split(",");
    const given = Buffer.from(base64, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  // The bytes as they came: parsed and written again they may be others.
  const body = Buffer.concat(chunks);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  response.writeHead(204).end();
  const id = request.headers["webhook-id"];
  if (seen.has(id)) return;
  seen.add(id);
  const { type, data } = JSON.parse(body);
  console.log(type, data.run ?? data.submission ?? "", data.headline?.value ?? "");
});

server.listen(Number(PORT), () => console.log("listening on port", server.address().port));
