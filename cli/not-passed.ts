/**
 * What was asked for was done, and did not come out as it should: printed on one line, without a stack; exit
 * code 1.
 */
export class NotPassed extends Error {}
