import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { compiledLibrary } from "./library";

/**
 * Has the browser compile the whole page while it loads, beside the page's own thread. Otherwise each function is
 * compiled when it is called first, and the first frame of a drag and the first act of a kind wait for it. It has to
 * stand at the very top.
 */
const compiledAtOnce: Plugin = {
  name: "compiled-at-once",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === "chunk" && part.isEntry) part.code = `//# allFunctionsCalledOnLoad\n${part.code}`;
    },
  },
};

/** Puts the licence of the fonts beside them in the build. */
const lettersLicence: Plugin = {
  name: "letters-licence",
  generateBundle() {
    this.emitFile({
      type: "asset",
      fileName: "assets/source-sans-3-LICENSE.txt",
      source: readFileSync("src/fonts/source-sans-3-LICENSE.txt"),
    });
  },
};

/**
 * A Python for browsers, with the packages that the rules need. Only the referee's page fetches it. Its folder has a
 * name that changes with the files. They are stored compressed, because the server would take long to do that.
 */
const python: Plugin = {
  name: "python",
  apply: "build",
  async generateBundle() {
    const modules = "node_modules/pyodide";
    const names = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"];
    const wheels = readdirSync("node_modules/.wheels").filter((name) => name.endsWith(".whl"));
    const paths = [
      ...names.map((name) => `${modules}/${name}`),
      ...wheels.map((name) => `node_modules/.wheels/${name}`),
    ];
    const files: (readonly [string, Uint8Array])[] = paths.map((path) => [basename(path), readFileSync(path)]);
    files.push(["python_stdlib.zip", await compiledLibrary()]);
    const digest = createHash("sha256");
    for (const [, content] of files) digest.update(content);
    const folder = `referee/python-${digest.digest("hex").slice(0, 8)}`;
    for (const [name, content] of files)
      this.emitFile({ type: "asset", fileName: `${folder}/${name}.gz`, source: gzipSync(content, { level: 9 }) });
    for (const name of readdirSync("src/referee/licences"))
      this.emitFile({
        type: "asset",
        fileName: `${folder}/${name}`,
        source: readFileSync(`src/referee/licences/${name}`),
      });
  },
};

export default defineConfig({
  // The page is served from wherever the server happens to be, so every address in it is relative.
  base: "./",
  // d3-zoom needs this package for slow movements. The table makes none (src/lib/still.ts).
  resolve: { alias: { "d3-transition": fileURLToPath(new URL("src/lib/still.ts", import.meta.url)) } },
  plugins: [svelte(), compiledAtOnce, lettersLicence, python],
  worker: {
    format: "es",
    rolldownOptions: {
      output: {
        // The worker of the rules lies within the scope of the service worker, which answers for it without a network.
        entryFileNames: ({ name }) => `${name === "rules" ? "referee" : "assets"}/[name]-[hash].js`,
      },
    },
  },
  build: {
    target: "es2022",
    sourcemap: false,
    // Code that most pages share is one file, and the rest of the first page another. Many small files would be fetched
    // one after another.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The table needs none of what forms share.
            {
              name: "common",
              minShareCount: 5,
              test: /node_modules.svelte|src.(lib.(?!schema)|motion|panels.(?!HouseRules)|wire)/,
            },
            { name: "small", test: /src.(painting.night|lib.(call|greeting|when))/ },
            {
              name: "lobby",
              test: /src.(pages.Lobby|panels.(GameCard|WithFriend)|forms.FriendFields|table.OpeningTable|lib.covers)/,
            },
          ],
        },
      },
    },
    // The licences of what becomes part of the page go where it goes.
    license: { fileName: "licenses.txt" },
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
    // A whole map is painted in a test: a busy machine may need longer than the usual five seconds.
    testTimeout: 30_000,
  },
});
