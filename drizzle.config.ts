import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: "./api/*/*schema.ts",
  out: "./migrations",
});
