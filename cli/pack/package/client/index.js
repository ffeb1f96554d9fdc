import createFetchClient from "openapi-fetch";

/** The service that `npm start` starts. */
const LOCAL_SERVICE = "http://localhost:8787";

export function createClient({ server = LOCAL_SERVICE, apiKey, ...options } = {}) {
  const client = createFetchClient({ ...options, baseUrl: server });
  if (apiKey !== undefined) {
    client.use({
      onRequest({ request }) {
        request.headers.set("authorization", `Bearer ${apiKey}`);
        return request;
      },
    });
  }
  return client;
}
