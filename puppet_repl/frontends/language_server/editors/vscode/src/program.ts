// Where the program puppet-repl is. Nothing is installed here.

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';

const NAME = 'puppet-repl';
const INSTALL = 'pipx install puppet-repl';

/** Return the program with its first arguments: as the setting says, else the one on the path. */
export async function programOf(chosen: string[]): Promise<string[] | undefined> {
  const [name = NAME, ...first] = chosen;
  const found = isAbsolute(name) ? await executable(name) : await onPath(name);
  return found === undefined ? undefined : [found, ...first];
}

async function onPath(name: string): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    // A relative directory would be one of what is open: its programs are not started.
    for (const ending of isAbsolute(directory) ? endings : []) {
      const found = await executable(join(directory, name + ending));
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

async function executable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** Say that the program is missing, with the command that installs it. */
export async function installing(chosen: string[]): Promise<void> {
  const missing = chosen[0] === undefined
    ? `There is no program ${NAME} on the path. Install it: ${INSTALL}`
    : `The setting puppet-repl.command names ${chosen[0]}, which cannot be started.`;
  const copy = 'Copy the command';
  const choose = 'Open the setting';
  const picked = chosen[0] === undefined
    ? await vscode.window.showWarningMessage(missing, copy, choose)
    : await vscode.window.showWarningMessage(missing, choose);
  if (picked === copy) {
    await vscode.env.clipboard.writeText(INSTALL);
  } else if (picked === choose) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'puppet-repl.command');
  }
}
