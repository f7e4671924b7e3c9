// Builds the report's program and style, or its tests. The same source gives the same bytes.
// node build.mjs [FOLDER]           into FOLDER (default: the Python package)
// node build.mjs --tests FOLDER     each file of test/ as a module of its own
import { build } from "esbuild";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const shipped = join(here, "..", "src", "agent_architecture", "render", "html");
const common = { absWorkingDir: here, bundle: true, jsx: "automatic", jsxImportSource: "preact", logLevel: "warning" };

// Whose work is in the program, with the licences that ask to be told along.
const WITHIN = ["preact", "@dagrejs/dagre", "@dagrejs/graphlib"];

async function notices() {
  const told = WITHIN.map(async (name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return `${name} ${version}\n${(await readFile(join(folder, "LICENSE"), "utf8")).trim()}`;
  });
  return `/*!\n${(await Promise.all(told)).join("\n\n").replaceAll("\r\n", "\n").replaceAll("*/", "* /")}\n*/`;
}

const [first, second] = process.argv.slice(2);
if (first === "--tests") {
  const files = (await readdir(join(here, "test"))).filter((name) => /\.test\.tsx?$/.test(name)).sort();
  await build({
    ...common,
    entryPoints: files.map((name) => join("test", name)),
    outdir: second,
    format: "esm",
    platform: "node",
    packages: "external",
    outExtension: { ".js": ".mjs" },
  });
} else {
  const folder = first ?? shipped;
  const made = await build({
    ...common,
    entryPoints: { report: "src/main.tsx" },
    outdir: folder,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "inline",
    banner: { js: await notices() },
    write: false,
  });
  const style = await build({ ...common, entryPoints: { report: "src/style.css" }, outdir: folder, minify: true, write: false });
  for (const file of [...made.outputFiles, ...style.outputFiles]) {
    // Nothing in the program may end the element that it stands in.
    await writeFile(file.path, file.text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"));
  }
}
