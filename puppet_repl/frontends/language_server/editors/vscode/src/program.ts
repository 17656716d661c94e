// Where the program puppet-repl is. Nothing is installed here.

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';

const NAME = 'puppet-repl';

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

/** Say that the program is missing, and lead to how it is installed. */
export async function sayMissing(chosen: string[]): Promise<void> {
  await warn(chosen[0] === undefined
    ? `There is no program ${NAME} on the path.`
    : `The setting puppet-repl.command names ${chosen[0]}, which cannot be started.`);
}

/** Say that the program is of an earlier release than the extension, if it is. */
export async function sayTooOld(program: string | undefined, extension: string): Promise<void> {
  if (program === undefined) {
    await warn(`The program of the server does not say that it is ${NAME} ${extension}.`);
  } else if (isEarlier(program, extension)) {
    await warn(
      `The program is ${NAME} ${program}, the extension is of ${extension}: some of it will not work.`
    );
  }
}

/** Tell whether a release comes before another one, by their numbers: 0.9.1 before 0.10.0. */
function isEarlier(one: string, other: string): boolean {
  const numbers = (version: string) => (/^[\d.]*/.exec(version)?.[0] ?? '').split('.').map(Number);
  const others = numbers(other);
  const found = numbers(one).map((number, at) => number - (others[at] ?? 0)).find(each => each !== 0);
  return (found ?? 0) < 0;
}

async function warn(message: string): Promise<void> {
  const install = 'How to install';
  const choose = 'Open the setting';
  const picked = await vscode.window.showWarningMessage(message, install, choose);
  if (picked === install) {
    // The page of the extension, which shows its README.
    await vscode.commands.executeCommand('extension.open', 'puppet-repl.puppet-repl');
  } else if (picked === choose) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'puppet-repl.command');
  }
}
