// A program that keeps a core busy until its parent disconnects or ends.

/** Interval at which it checks for messages. */
const TURN_MS = 20;

process.on("disconnect", () => process.exit());
process.send?.("busy");
turn();

function turn(): void {
  const until = performance.now() + TURN_MS;
  while (performance.now() < until);
  setImmediate(turn);
}
