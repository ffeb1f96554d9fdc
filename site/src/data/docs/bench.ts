import recorded from "./bench.json";

/** The last record of `npm run bench -- --record`. */
export const benchRecord = recorded;
