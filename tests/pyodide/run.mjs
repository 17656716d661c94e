// Run a Python program in Pyodide: node run.mjs SITE PROGRAM [ARGUMENT...].
//
// SITE is the directory that playground.site writes. The repository is /repo there. `seconds` of the
// module `start` has how long the start took. Exit status 3: Python has ended, as it does where the
// stack of JavaScript overflows.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [site, program, ...rest] = process.argv.slice(2);
const load = async (name) => import(pathToFileURL(path.resolve(site, name)));
const { loadPyodide } = await load("pyodide/pyodide.mjs");
const { ARCHIVE, startEngine } = await load("engine.mjs");

const begun = performance.now();
const archive = new Uint8Array(fs.readFileSync(path.join(site, ARCHIVE)));
const options = { indexURL: path.resolve(site, "pyodide") + path.sep };
const python = await startEngine(loadPyodide, options, archive);
const started = (performance.now() - begun) / 1000;

python.registerJsModule("start", { seconds: started });
python.FS.mkdirTree("/repo");
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.cwd() }, "/repo");
const write = (stream) => ({ batched: (line) => fs.writeSync(stream, `${line}\n`) });
python.setStdout(write(1));
python.setStderr(write(2));
const source = fs.readFileSync(program, "utf-8");
try {
  python.globals.set("__name__", "__main__");
  python.runPython("import sys; sys.path.append('/repo')");
  python.runPython(`sys.argv = ${JSON.stringify([program, ...rest])}`);
  python.runPython(source, { filename: program });
} catch (error) {
  console.error(`${error}`.slice(-2000));
  process.exit(error instanceof RangeError ? 3 : 1);
}
process.exit(0);
