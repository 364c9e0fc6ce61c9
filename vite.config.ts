import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** Writes each static file a second and third time, compressed as well as it can be, so that no request pays for it. */
function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    // After the server's build, because React Router writes its manifest for the browser last.
    applyToEnvironment: ({ name }) => name === "ssr",
    closeBundle() {
      const dir = "build/client";
      for (const file of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|txt)$/.test(file)) continue;
        const bytes = readFileSync(path.join(dir, file));
        writeFileSync(path.join(dir, `${file}.br`), brotliCompressSync(bytes));
        writeFileSync(path.join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), compressAssets()],
  build: { cssMinify: true, assetsInlineLimit: 0 },
});
