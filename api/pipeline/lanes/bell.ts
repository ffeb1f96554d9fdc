/** Wakes a loop whenever something that goes on beside it ends: one promise to wait for, however much goes on. */
export class Bell {
  #next = Promise.withResolvers<void>();

  /** Fulfilled with the next end of anything; fails with the error of the first that fails. */
  rung(): Promise<void> {
    return this.#next.promise;
  }

  /** Rings when `work` ends. */
  after(work: Promise<unknown>): void {
    work.then(
      () => {
        this.#next.resolve();
        this.#next = Promise.withResolvers();
      },
      (error: unknown) => this.#next.reject(error),
    );
  }
}
