// The modules of the extension: its plugins for JupyterLab, and the languages for whoever asks.

import { Documents } from './documents.js';
import { addFormatting } from './formatting.js';
import { CELL, EPP, makeLanguages } from './language.js';
import { addMachines } from './machines.js';
import { marking } from './marks.js';
import { OPTION, addPlayground } from './playground.js';

const checkers = new Set();
const documents = new Documents(() => checkers.forEach(checker => checker.kernelHasCome()));
let loading;

/** Return the languages of the page, and the libraries that they are made with. */
function loadLanguages(shared) {
  loading ??= makeShared(shared);
  return loading;
}

async function makeShared(shared) {
  const libraries = {
    language: await shared('@codemirror/language'),
    state: await shared('@codemirror/state'),
    view: await shared('@codemirror/view'),
    highlight: await shared('@lezer/highlight')
  };
  const marks = marking(libraries, view => documents.problems(view), register);
  return { ...makeLanguages(libraries, marks), libraries };
}

/** Remember the checker of an editor; return how to forget it. */
function register(checker) {
  checkers.add(checker);
  return () => checkers.delete(checker);
}

function addLanguages(registry, { cells, templates }) {
  // The kernel asks for this one by its name.
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

function addStyles(directory) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `${directory}style.css`;
  document.head.appendChild(link);
}

async function loadPlugins(shared, directory) {
  const codemirror = await shared('@jupyterlab/codemirror');
  const apputils = await shared('@jupyterlab/apputils');
  const notebook = await shared('@jupyterlab/notebook');
  const console = await shared('@jupyterlab/console');
  const commands = await shared('@lumino/commands');
  const widgets = await shared('@lumino/widgets');
  const coreutils = await shared('@jupyterlab/coreutils');
  const languages = await loadLanguages(shared);
  const languagePlugin = {
    id: 'puppet-repl:language',
    description: 'Puppet in cells, EPP in cells and files.',
    autoStart: true,
    requires: [codemirror.IEditorLanguageRegistry],
    activate(app, registry) {
      addStyles(directory);
      addLanguages(registry, languages);
    }
  };
  const checksPlugin = {
    id: 'puppet-repl:checks',
    description: 'Errors in cells while they are typed.',
    autoStart: true,
    optional: [notebook?.INotebookTracker, console?.IConsoleTracker].filter(token => token),
    activate(app, ...trackers) {
      const [notebooks, consoles] = notebook ? trackers : [null, ...trackers];
      documents.connect(notebooks, consoles);
      notebook?.NotebookActions.executed.connect(() => {
        checkers.forEach(checker => checker.cellHasRun());
      });
    }
  };
  const formattingPlugin = {
    id: 'puppet-repl:formatting',
    description: 'Commands that format cells.',
    autoStart: true,
    requires: [notebook?.INotebookTracker],
    optional: [apputils.ICommandPalette],
    activate(app, notebooks, palette) {
      const format = (...asked) => documents.formatted(...asked);
      addFormatting(app, { notebooks, palette, Notification: apputils.Notification, format });
    }
  };
  const machinesPlugin = {
    id: 'puppet-repl:machines',
    description: 'The machine in the toolbar of notebooks.',
    autoStart: true,
    requires: [notebook?.INotebookTracker, apputils.IToolbarWidgetRegistry],
    optional: [apputils.ICommandPalette],
    activate(app, notebooks, toolbars, palette) {
      const ask = panel => documents.machines(panel);
      addMachines(app, { notebooks, toolbars, palette, libraries: { apputils, commands, notebook, widgets }, ask });
    }
  };
  const playgroundPlugin = {
    id: 'puppet-repl:playground',
    description: 'A command that opens cells in the playground.',
    autoStart: true,
    requires: [notebook?.INotebookTracker],
    optional: [apputils.ICommandPalette],
    activate(app, notebooks, palette) {
      const { Notification } = apputils;
      const address = coreutils?.PageConfig.getOption(OPTION);
      if (address) {
        addPlayground(app, { notebooks, palette, Notification, address });
      }
    }
  };
  const ofNotebooks = notebook ? [formattingPlugin, machinesPlugin, playgroundPlugin] : [];
  return { default: [languagePlugin, checksPlugin, ...ofNotebooks] };
}

export const modules = {
  './extension': loadPlugins,
  './language': loadLanguages
};
