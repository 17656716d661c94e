// Run a Python program in Pyodide: node run.mjs PYODIDE ENGINE PROGRAM [ARGUMENT...].
//
// PYODIDE is the directory of npm's package, ENGINE that of engine.mjs and engine.zip. The
// repository is /repo there. `seconds` of the module `start` has how long each part of the start
// took. Exit status 3: Python has ended, as it does where the stack of JavaScript overflows.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, engine, program, ...rest] = process.argv.slice(2);
const load = async (directory, name) => import(pathToFileURL(path.resolve(directory, name)));
const { loadPyodide } = await load(pyodide, "pyodide.mjs");
const { startEngine } = await load(engine, "engine.mjs");

const begun = performance.now();
const archive = new Uint8Array(fs.readFileSync(path.join(engine, "engine.zip")));
const options = { indexURL: path.resolve(pyodide) + path.sep };
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
