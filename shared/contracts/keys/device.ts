import { z } from "zod";

/** A sign-in of a program that has no browser, such as the command line (RFC 8628). */
export const startedDeviceSchema = z
  .object({
    deviceCode: z.string().meta({ description: "secret of the program, to ask for the key with" }),
    userCode: z.string().meta({
      description: "what the person compares or enters at `verificationUri`",
      example: "BCDF-GHJK",
    }),
    verificationUri: z.string(),
    verificationUriComplete: z.string(),
    expiresAt: z.iso.datetime(),
    intervalSeconds: z.int().meta({ description: "least time between two questions for the key" }),
  })
  .meta({ id: "StartedDevice" });
export type StartedDevice = z.infer<typeof startedDeviceSchema>;

/** The person has not decided yet. */
export const waitingDeviceSchema = z
  .object({
    status: z.enum(["pending", "slow-down"]),
    intervalSeconds: z.int().meta({ description: "longer after each question that came too soon" }),
  })
  .meta({ id: "WaitingDevice" });

/** What the key of a program may do: `organisations`: also manage those of its person. */
export const deviceScopeSchema = z.enum(["submit", "organisations"]);
export type DeviceScope = z.infer<typeof deviceScopeSchema>;

/** What a person decides about. */
export const deviceSchema = z
  .object({
    userCode: z.string(),
    name: z.string().meta({ description: "what the program calls itself" }),
    scope: deviceScopeSchema,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "Device" });
export type Device = z.infer<typeof deviceSchema>;
