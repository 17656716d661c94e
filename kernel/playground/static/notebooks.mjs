// A program as a notebook for the Puppet kernel.

/** Return the notebook, in JSON, that has a program in a cell, below one that takes its facts. */
export function toNotebook({ code, facts }) {
  const sources = [...(facts ? [`:facts ${facts}`] : []), code];
  const notebook = {
    cells: sources.map((source, index) => ({
      cell_type: 'code',
      execution_count: null,
      id: `cell-${index + 1}`,
      metadata: {},
      outputs: [],
      source
    })),
    metadata: {
      kernelspec: { display_name: 'Puppet', language: 'puppet', name: 'puppet' }
    },
    nbformat: 4,
    nbformat_minor: 5
  };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

/** Let the browser keep a text as a file. */
export function download(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ipynb+json' }));
  link.download = name;
  link.click();
  // Not at once: the browser has only begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
