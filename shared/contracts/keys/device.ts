import { z } from "zod";

/** A started sign-in of a program without a browser, such as the command line (RFC 8628). */
export const startedDeviceSchema = z
  .object({
    deviceCode: z.string().meta({ description: "secret of the program, for requesting the key" }),
    userCode: z.string().meta({
      description: "code that the person compares or enters at `verificationUri`",
      example: "BCDF-GHJK",
    }),
    verificationUri: z.string(),
    verificationUriComplete: z.string(),
    expiresAt: z.iso.datetime(),
    intervalSeconds: z.int().meta({ description: "minimum time between two requests for the key" }),
  })
  .meta({ id: "StartedDevice" });
export type StartedDevice = z.infer<typeof startedDeviceSchema>;

/** The person has not decided yet. */
export const waitingDeviceSchema = z
  .object({
    status: z.enum(["pending", "slow-down"]),
    intervalSeconds: z.int().meta({
      description: "minimum time until the next request; grows if requests come too early",
    }),
  })
  .meta({ id: "WaitingDevice" });

/** Scope of a program's key; `organisations`: it can also manage the person's organisations. */
export const deviceScopeSchema = z.enum(["submit", "organisations"]);
export type DeviceScope = z.infer<typeof deviceScopeSchema>;

/** The sign-in that a person approves or refuses. */
export const deviceSchema = z
  .object({
    userCode: z.string(),
    name: z.string().meta({ description: "name that the program gave itself" }),
    scope: deviceScopeSchema,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Device" });
export type Device = z.infer<typeof deviceSchema>;
