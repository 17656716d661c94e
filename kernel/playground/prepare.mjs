// Prepare what a browser loads: node prepare.mjs PYODIDE DIRECTORY.
//
// PYODIDE is the directory of npm's package. prepare.py runs in Pyodide, so that what it compiles is
// for that Python; DIRECTORY is /release there.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [pyodide, directory] = process.argv.slice(2).map((name) => path.resolve(name));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide + path.sep });
python.FS.mkdir("/release");
python.FS.mount(python.FS.filesystems.NODEFS, { root: directory }, "/release");
const program = fileURLToPath(new URL("prepare.py", import.meta.url));
python.runPython(fs.readFileSync(program, "utf-8"));
process.exit(0);
