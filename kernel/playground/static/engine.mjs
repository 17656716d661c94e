// Python with the engine in it: for the worker of a page, and for the tests under Node.
//
// `loadPyodide` is the function of Pyodide, `options` are its options, `archive` is the content of
// engine.zip, or a promise of it.

const DIRECTORY = "/engine";

export async function startEngine(loadPyodide, options, archive) {
  const python = await loadPyodide(options);
  python.unpackArchive(await archive, "zip", { extractDir: DIRECTORY });
  python.runPython(`import sys; sys.path.insert(0, "${DIRECTORY}")`);
  return python;
}
