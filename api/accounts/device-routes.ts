import { createRoute, z } from "@hono/zod-openapi";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { createdApiKeySchema } from "#shared/contracts/keys/api-key.ts";
import {
  deviceSchema,
  deviceScopeSchema,
  startedDeviceSchema,
  waitingDeviceSchema,
} from "#shared/contracts/keys/device.ts";
import { printableText } from "#shared/contracts/text/printable-text.ts";
import { noteAction } from "../http/record-actions.ts";
import { requireJson } from "../http/require-scope.ts";
import {
  bodyProblems,
  jsonBody,
  jsonReply,
  originOf,
  problem,
  problemResponses,
} from "../http/responses.ts";
import { apiRouter, openToAll, wantsSession } from "../http/router.ts";
import { requireSession, signedIn } from "../http/session.ts";
import { apiKeyView, keysRefusal } from "../keys/make-key.ts";
import { askForKey, readUserCode, startDevice, waitingDevice } from "./devices.ts";

const tags = ["Accounts"];

const start = createRoute({
  method: "post",
  path: "/v1/device",
  operationId: "startDevice",
  tags,
  security: openToAll,
  summary: "Begin the sign-in of a program without a browser",
  description:
    "This is the device authorization of RFC 8628: show the person `verificationUri` and `userCode`, and ask for the key until they have decided.",
  request: {
    query: z.object({
      name: printableText(80).meta({
        description: "name of the program and its machine, which the person sees",
        example: "assay login on laptop",
      }),
      scope: deviceScopeSchema.default("submit").meta({
        description: "`organisations`: the key can also manage the person's organisations",
      }),
    }),
  },
  responses: {
    201: jsonReply("The codes of the sign-in", startedDeviceSchema),
    ...problemResponses("invalid-request", "not-found"),
  },
});

const ask = createRoute({
  method: "post",
  path: "/v1/device/key",
  operationId: "askForDeviceKey",
  tags,
  security: openToAll,
  summary: "Ask for the key of an approved sign-in; it is given once",
  request: { headers: z.object({ "x-device-code": nameSchema }) },
  responses: {
    200: jsonReply("The key, for 90 days", createdApiKeySchema),
    202: jsonReply("The person has not decided yet", waitingDeviceSchema),
    ...problemResponses("invalid-request", "forbidden", "not-found", "conflict", "gone"),
  },
});

const ofCode = {
  path: "/v1/device/{code}",
  tags,
  security: wantsSession,
};
const params = z.object({ code: nameSchema });

const show = createRoute({
  ...ofCode,
  method: "get",
  operationId: "getDevice",
  summary: "A program that waits to be signed in",
  middleware: requireSession,
  request: { params },
  responses: {
    200: jsonReply("The program", deviceSchema),
    ...problemResponses("unauthorized", "forbidden", "not-found"),
  },
});

const decide = createRoute({
  ...ofCode,
  method: "post",
  operationId: "decideDevice",
  summary: "Approve or deny the sign-in of a program",
  middleware: [requireSession, requireJson] as const,
  request: { params, body: jsonBody(z.strictObject({ approve: z.boolean() })) },
  responses: {
    200: jsonReply("The program", deviceSchema),
    ...problemResponses(...bodyProblems, "not-found", "conflict"),
  },
});

const noDevice = (code: string) =>
  `no program waits with the code "${code}", or its time is over: run assay login again`;

/** Sign-in of programs without a browser. */
export const deviceRoutes = apiRouter()
  .openapi(start, async (c) => {
    const { platform } = c.var;
    if (platform.identityProviders.length === 0) {
      return problem(c, "not-found", "sign-in is not set up here: ask the operator for a key");
    }
    const started = await startDevice(platform, c.req.valid("query"), originOf(c));
    return c.json(started, 201, { "cache-control": "no-store" });
  })
  .openapi(ask, async (c) => {
    const answer = await askForKey(c.var.platform, c.req.valid("header")["x-device-code"]);
    if (answer.kind === "key") {
      const { key, record } = answer;
      return c.json({ ...apiKeyView(record), key }, 200, { "cache-control": "no-store" });
    }
    if ("intervalSeconds" in answer) {
      const { kind: status, intervalSeconds } = answer;
      return c.json({ status, intervalSeconds }, 202, { "retry-after": `${intervalSeconds}` });
    }
    if (answer.kind === "full") return problem(c, "conflict", answer.detail);
    if (answer.kind === "denied") return problem(c, "forbidden", "the person denied this sign-in");
    if (answer.kind === "expired") {
      return problem(c, "gone", "the time of this sign-in is over: begin another");
    }
    return problem(c, "not-found", "no sign-in has this code: it was used, or is unknown");
  })
  .openapi(show, async (c) => {
    const { code } = c.req.valid("param");
    const device = await waitingDevice(c.var.platform, code);
    return device === null ? problem(c, "not-found", noDevice(code)) : c.json(device, 200);
  })
  .openapi(decide, async (c) => {
    const { code } = c.req.valid("param");
    const { platform } = c.var;
    const { owner, person, scopes } = signedIn(c).account;
    if (!scopes.includes("submit")) {
      return problem(c, "forbidden", "your role in this organisation is to read: it makes no keys");
    }
    const { approve } = c.req.valid("json");
    const device = await waitingDevice(platform, code);
    if (device === null) return problem(c, "not-found", noDevice(code));
    const tooMany = approve ? await keysRefusal(platform, owner) : null;
    if (tooMany !== null) return problem(c, "conflict", tooMany);
    const after = { owner, person, scope: device.scope };
    const noted = { action: "key.approve", target: device.name, after };
    const entry = approve ? noteAction(c, noted) : undefined;
    const decision = { owner, person, approve };
    const isDecided = await platform.accounts.decideDevice(readUserCode(code), decision, entry);
    if (!isDecided) return problem(c, "not-found", noDevice(code));
    return c.json(device, 200);
  });
