// The modules of the extension: its plugin for JupyterLab, and the languages for whoever asks.

import { CELL, EPP, makeLanguages } from './language.js';

let languages;

/** Return the languages of the page, and the libraries that they are made with. */
async function loadLanguages(shared) {
  const libraries = {
    language: await shared('@codemirror/language'),
    state: await shared('@codemirror/state'),
    highlight: await shared('@lezer/highlight')
  };
  languages ??= makeLanguages(libraries);
  return { ...languages, libraries };
}

/** Register the languages; the kernel asks for the one of cells by its name. */
function register(registry, { cells, templates }) {
  registry.addLanguage({
    name: CELL,
    displayName: 'Puppet (puppet-repl)',
    mime: 'text/x-puppet-repl',
    extensions: [],
    support: cells
  });
  registry.addLanguage({
    name: EPP,
    displayName: 'EPP (puppet-repl)',
    mime: 'text/x-puppet-epp',
    extensions: ['epp'],
    support: templates
  });
}

async function loadPlugin(shared) {
  const codemirror = await shared('@jupyterlab/codemirror');
  const made = await loadLanguages(shared);
  const languagePlugin = {
    id: 'puppet-repl:language',
    description: 'Puppet and EPP in cells and files.',
    autoStart: true,
    requires: [codemirror.IEditorLanguageRegistry],
    activate: (app, registry) => register(registry, made)
  };
  return { default: [languagePlugin] };
}

export const modules = {
  './extension': loadPlugin,
  './language': loadLanguages
};
