// Builds the extension: node build.mjs [FOLDER] (default: dist). The editor itself is not bundled.
import { build } from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

await build({
  absWorkingDir: dirname(fileURLToPath(import.meta.url)),
  entryPoints: { extension: "src/extension.ts" },
  outdir: process.argv[2] ?? "dist",
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  platform: "node",
  target: "node20",
  charset: "utf8",
  legalComments: "inline",
  logLevel: "warning",
});
