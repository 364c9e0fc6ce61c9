import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { buildFonts } from "./app/document/build-fonts.ts";

/** The largest input block makes the scripts of every page 95 bytes smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS } };

/** Compresses static files with Brotli and gzip during the build, so that the server doesn't have to. */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    // Run after the build of the server, because React Router writes the browser's manifest last.
    applyToEnvironment: ({ name }) => name === "ssr",
    closeBundle() {
      const dir = "build/client";
      for (const file of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|txt)$/.test(file)) continue;
        const bytes = readFileSync(path.join(dir, file));
        writeFileSync(path.join(dir, `${file}.br`), brotliCompressSync(bytes, BROTLI));
        writeFileSync(path.join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

await buildFonts();

export default defineConfig({
  resolve: {
    alias: {
      // Use the variant for Node: the variant for browsers needs the DOM, which the preview's web worker lacks.
      "decode-named-character-reference": fileURLToPath(
        import.meta.resolve("decode-named-character-reference"),
      ),
    },
  },
  worker: { format: "es" },
  plugins: [tailwindcss(), reactRouter(), compressAssets()],
  build: { cssMinify: true, assetsInlineLimit: 0, target: "es2024" },
  environments: {
    ssr: { build: { rolldownOptions: { input: "./app/request-handler.ts" } } },
    client: {
      define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: "undefined" },
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // A few large files compress better than many small ones.
              groups: [
                { name: "react", test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/ },
                // Every page preloads the code of all pages for visitors, so all of it belongs in the same file.
                {
                  name: "shared",
                  test: /[\\/](common[\\/]data[\\/]description|app[\\/](document|home|list|people|pictures[\\/]use-picture-frames|profile[\\/]profile-page|router[\\/](?!unsaved-changes)|search|session[\\/]session-sync|sign-in[\\/](?!new-password|passkey|password-section|sign-in-again|use-sign-in-again)|content[\\/](?!editor|read-until|kinds[\\/].*fields)))/,
                },
                // Every form of a member needs this code.
                {
                  name: "forms",
                  test: /[\\/](common[\\/]pictures|app[\\/](drafts|operation[\\/]use-read|pictures[\\/](picture-button|upload-list|use-uploads)|router[\\/]unsaved-changes|ui[\\/](dialog|editing-areas|fieldset|saving|text-editing)))/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
