/** Keeps a core busy until the process that started it lets go of it or ends. */

/** Between two looks at messages. */
const TURN_MS = 20;

process.on("disconnect", () => process.exit());
process.send?.("busy");
turn();

function turn(): void {
  const until = performance.now() + TURN_MS;
  while (performance.now() < until);
  setImmediate(turn);
}
