/** Waits that can be ended early. */
export interface Waiter {
  wait(seconds: number): Promise<void>;
  /** Ends the wait that is under way. */
  wake(): void;
}

export function waiter(): Waiter {
  let end = () => {};
  return {
    wait: (seconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, seconds * 1_000);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
