// Python with the engine in it: for the worker of a page, and for the tests under Node.
//
// `loadPyodide` is the function of Pyodide, `options` are its options, `archive` is the content of
// ARCHIVE, or a promise of it.

export const ARCHIVE = "engine.tar.gz";
const DIRECTORY = "/engine";
const BLOCK = 512;

export async function startEngine(loadPyodide, options, archive) {
  const [python, content] = await Promise.all([loadPyodide(options), unpacked(archive)]);
  extract(python.FS, content);
  python.runPython(`import sys; sys.path.insert(0, "${DIRECTORY}")`);
  return python;
}

/** Return the content of a compressed archive. Some servers say that it is an encoding. */
async function unpacked(archive) {
  const content = new Uint8Array(await archive);
  if (content[0] !== 0x1f || content[1] !== 0x8b) {
    return content;
  }
  const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Write the files of a tar archive that has nothing but files. Python would do it in ten times the time. */
function extract(files, archive) {
  const text = (from, length) => {
    const field = archive.subarray(from, from + length);
    const end = field.indexOf(0);
    return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
  };
  for (let at = 0; archive[at]; ) {
    const name = `${DIRECTORY}/${text(at, 100)}`;
    const size = parseInt(text(at + 124, 12), 8);
    files.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    files.writeFile(name, archive.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
}
