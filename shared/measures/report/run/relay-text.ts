import type { Relay } from "../../../contracts/run.ts";

const texts: Readonly<Record<Relay, string>> = {
  program: "a program on the submitter's machine",
  http: "an HTTP interface that the submitter's machine called",
};

/**
 * What answered in place of an endpoint, as it continues "The answers come from".
 * @example relayText("program") // "a program on the submitter's machine"
 */
export const relayText = (relay: Relay): string => texts[relay];
