// Selected cells in the playground, where the page knows its address.

import { toFragment } from './sharing.js';

const OPEN = 'puppet-repl:open-in-playground';
// Of the configuration of a page of JupyterLab. That of JupyterLite has it beside a playground.
export const OPTION = 'puppetPlaygroundUrl';
const MIME = 'text/x-puppet-repl';

/** Add the command to JupyterLab, for the playground at an address. */
export function addPlayground(app, { notebooks, palette, Notification, address }) {
  const isPuppet = () => notebooks.currentWidget?.content.codeMimetype === MIME;
  app.commands.addCommand(OPEN, {
    label: 'Open in the Playground',
    caption: 'Open the code of the selected cells as a program of the playground',
    isEnabled: isPuppet,
    isVisible: isPuppet,
    async execute() {
      const { content } = notebooks.currentWidget;
      const isChosen = cell => cell.model.type === 'code' && content.isSelectedOrActive(cell);
      const sources = content.widgets
        .filter(isChosen)
        .map(({ model }) => model.sharedModel.getSource());
      // Opened at once: browsers refuse windows that do not follow a click.
      const opened = window.open('');
      if (!opened) {
        Notification.error('The browser has refused to open a window.');
        return;
      }
      opened.opener = null; // another site must not lead this page elsewhere
      try {
        const fragment = await toFragment({ code: sources.join('\n\n') });
        opened.location.replace(new URL(address, document.baseURI).href + fragment);
      } catch (error) {
        opened.close();
        Notification.error(error.message);
      }
    }
  });
  palette?.addItem({ command: OPEN, category: 'Puppet' });
  app.contextMenu.addItem({ command: OPEN, selector: '.jp-Notebook .jp-CodeCell', rank: 2.6 });
}
