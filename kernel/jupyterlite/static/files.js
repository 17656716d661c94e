// The files of JupyterLite for the worker of a kernel: Python's file system is in its memory.

const ROOT = '/files';

/**
 * All files but the notebooks, as they are when the kernel starts, and what is saved later. The
 * working directory is that of the notebook.
 */
export class Files {
  constructor(contents, location) {
    this._contents = contents;
    this._directory = `${ROOT}/${contents.localPath(location)}`;
    // By path, once they are read.
    this._files = null;
  }

  /** Return the requests that bring the files to a worker. */
  async requests() {
    if (this._files === null) {
      const read = await this._readDirectory('');
      this._files = new Map(read.map(file => [file.path, file]));
    }
    return [{ type: 'files', directory: this._directory, files: [...this._files.values()] }];
  }

  /** Bring files that are saved to the worker of a session; return how to leave off. */
  follow(session) {
    const take = async (_, { type, newValue }) => {
      if (type === 'save' && newValue.type === 'file' && this._files !== null) {
        const file = await this._read(newValue.path);
        this._files.set(file.path, file);
        await session.request({ type: 'files', files: [file] });
      }
    };
    this._contents.fileChanged.connect(take);
    return () => this._contents.fileChanged.disconnect(take);
  }

  async _readDirectory(path) {
    const { content: entries } = await this._contents.get(path, { content: true });
    const found = await Promise.all(entries.map(entry => this._readEntry(entry)));
    return found.flat();
  }

  async _readEntry({ path, type }) {
    try {
      if (type === 'directory') {
        return await this._readDirectory(path);
      }
      return type === 'file' ? [await this._read(path)] : [];
    } catch (error) {
      // The kernel is to start nevertheless.
      console.warn(`${path} cannot be read: ${error.message}`);
      return [];
    }
  }

  async _read(path) {
    const { format, content } = await this._contents.get(path, { content: true });
    return { path: `${ROOT}/${path}`, format, content };
  }
}
