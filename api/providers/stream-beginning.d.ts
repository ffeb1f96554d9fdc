import type { Protocol, StreamParts } from "#shared/protocols/protocol.ts";
/** Stores the text received before a stream failed, for the failure record. */
export declare function keepBeginning(error: unknown, protocol: Protocol, parts: StreamParts): void;
/** The text that came before a stream broke with this error, or else the thoughts; empty if there was none. */
export declare const beginningOf: (error: unknown) => string;
