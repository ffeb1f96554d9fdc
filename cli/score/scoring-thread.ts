import module from "node:module";

// A thread of its own, with its own compilation: the cache halves its start, if it is on before modules load.
module.enableCompileCache?.();
await import("./score-in-thread.ts");
