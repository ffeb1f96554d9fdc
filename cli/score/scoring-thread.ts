import module from "node:module";

// Each thread compiles its modules. The cache halves its start time if it is enabled before modules load.
module.enableCompileCache?.();
await import("./score-in-thread.ts");
