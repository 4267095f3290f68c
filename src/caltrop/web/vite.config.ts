import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The page is served from wherever the server happens to be, so every address in it is relative.
  base: "./",
  plugins: [svelte()],
  build: {
    target: "es2022",
    sourcemap: false,
    // Nothing is fetched from elsewhere, and small pictures become part of the page.
    assetsInlineLimit: 4096,
  },
  server: {
    // `npm run dev` beside `caltrop serve`.
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
  },
});
