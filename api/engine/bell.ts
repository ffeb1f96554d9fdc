/** Wakes a loop whenever one of its background tasks ends: one promise to wait for, however many tasks there are. */
export class Bell {
  #next = Promise.withResolvers<void>();
  #hasFailed = false;

  /** Fulfilled with the next end of anything; fails from the first failure on. */
  rung(): Promise<void> {
    return this.#next.promise;
  }

  /** Rings when `work` ends. */
  after(work: Promise<unknown>): void {
    work.then(
      () => {
        if (this.#hasFailed) return;
        this.#next.resolve();
        this.#next = Promise.withResolvers();
      },
      (error: unknown) => {
        this.#hasFailed = true;
        this.#next.reject(error);
        // The loop may be over, and nobody wait.
        this.#next.promise.catch(() => {});
      },
    );
  }
}
