/** Waits that can be ended early: `wake` ends the current one. */
export function waiter() {
  let end = () => {};
  return {
    wait: (seconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, seconds * 1_000);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
