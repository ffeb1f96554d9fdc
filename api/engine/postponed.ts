/** An endpoint wants no call before `until`, Unix ms: the unit is to be carried out again then. */
export class Postponed extends Error {
  readonly until: number;
  constructor(until: number) {
    super("the endpoint asked for a later call");
    this.until = until;
  }
}
