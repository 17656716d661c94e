// The extension: starts the server and the debug adapter, and shows their results.

import * as vscode from 'vscode';
import { LanguageClient, RevealOutputChannelOn, State } from 'vscode-languageclient/node';
import type {
  FeatureState,
  LanguageClientOptions,
  ServerCapabilities,
  ServerOptions,
  StaticFeature
} from 'vscode-languageclient/node';

import { endsInTag, toggled } from './comments';
import { programOf, sayMissing, sayTooOld } from './program';
import { Pages } from './pages';

const SECTION = 'puppet-repl';
const LANGUAGES = ['puppet', 'epp'];
// How long a command waits for a server that starts.
const PATIENCE_MS = 10_000;
// The files that the server checks, apart from code.
const FILES = [
  '**/{hiera.yaml,metadata.json,environment.conf,Puppetfile,.fixtures.yml}',
  '**/{data,hieradata}/**/*.{yaml,yml,eyaml}',
  '**/plans/**/*.{yaml,yml}'
];

/** What the command `puppet-repl.nodes` of the server returns. */
interface Nodes {
  node: string | null;
  facts: string | null;
  nodes: { name: string }[];
  factSets: string[];
}

/** Leaves texts and comments to the grammar, which knows the languages in heredocs. */
class GrammarFirst implements StaticFeature {
  preInitialize(capabilities: ServerCapabilities): void {
    const legend = capabilities.semanticTokensProvider?.legend;
    if (legend !== undefined) {
      // No theme has a colour for another name, so that the colours of the grammar stay.
      legend.tokenTypes = legend.tokenTypes.map(type =>
        ['string', 'comment'].includes(type) ? `${type}OfGrammar` : type);
    }
  }

  fillClientCapabilities(): void {}
  initialize(): void {}
  clear(): void {}

  getState(): FeatureState {
    return { kind: 'static' };
  }
}

class Extension implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private started: Promise<void> = Promise.resolve();
  private problem: string | undefined;
  private readonly log: vscode.LogOutputChannel;
  private readonly status: vscode.StatusBarItem;
  private readonly pages = new Pages();
  private readonly parts: vscode.Disposable[];

  constructor(private readonly version: string) {
    this.log = vscode.window.createOutputChannel('Puppet', { log: true });
    this.status = vscode.window.createStatusBarItem(SECTION, vscode.StatusBarAlignment.Right, 100);
    this.status.name = 'Puppet: node';
    this.status.command = `${SECTION}.chooseNode`;
    const command = (name: string, run: () => unknown) =>
      vscode.commands.registerCommand(`${SECTION}.${name}`, run);
    this.parts = [
      this.log,
      this.status,
      this.pages,
      command('evaluateSelection', () => this.run('evaluate')),
      command('catalogOfThis', () => this.run('catalog')),
      command('graphOfThis', () => this.run('graph')),
      command('differenceOfThis', () => this.run('difference')),
      command('explainThis', () => this.run('explain')),
      command('chooseNode', () => this.chooseNode()),
      command('toggleComment', () => toggleComment()),
      command('restart', () => this.restart()),
      command('showLog', () => this.log.show()),
      vscode.window.onDidChangeActiveTextEditor(() => this.showStatus()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(`${SECTION}.command`)) {
          void this.restart();
        }
        if (event.affectsConfiguration(SECTION)) {
          this.showStatus();
        }
      }),
      vscode.debug.registerDebugAdapterDescriptorFactory(SECTION, {
        createDebugAdapterDescriptor: session => debugAdapter(session.workspaceFolder)
      }),
      vscode.debug.registerDebugConfigurationProvider(SECTION, {
        resolveDebugConfiguration: (_directory, given) => withDefaults(given)
      })
    ];
  }

  /** Start the server, or say that its program is missing. No message is waited for. */
  start(): Promise<void> {
    this.started = this.startServer();
    return this.started;
  }

  private async startServer(): Promise<void> {
    const program = await programOf(chosenProgram());
    if (program === undefined) {
      this.showProblem('no server');
      void sayMissing(chosenProgram());
      return;
    }
    const [command = '', ...first] = program;
    this.log.info(`the server is ${program.join(' ')} language-server`);
    const server: ServerOptions = { command, args: [...first, 'language-server'] };
    const client = new LanguageClient(SECTION, 'Puppet', server, this.options());
    client.registerFeature(new GrammarFirst());
    this.client = client;
    this.parts.push(client.onDidChangeState(({ newState }) => {
      if (this.client === client && newState !== State.Starting) {
        this.showProblem(newState === State.Running ? undefined : 'server stopped');
      }
    }));
    try {
      await client.start();
      void sayTooOld(client.initializeResult?.serverInfo?.version, this.version);
    } catch (error) {
      this.log.error(String(error));
      if (this.client === client) {
        this.showProblem('server failed');
      }
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        ...LANGUAGES.flatMap(language => [
          { scheme: 'file', language },
          { scheme: 'untitled', language }
        ]),
        ...FILES.map(pattern => ({ scheme: 'file', pattern }))
      ],
      synchronize: {
        configurationSection: SECTION,
        fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{pp,epp,yaml,yml,eyaml,rb,json}')
      },
      initializationOptions: () => ({
        ...given(settings()),
        trust: vscode.workspace.isTrusted
      }),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: {
        // Also what a lens runs: the result is shown here, not by the server.
        executeCommand: async (command, args, next) => {
          const [first, ...others] = args as [unknown, ...unknown[]];
          const result: unknown = await vscode.window.withProgress(
            { location: vscode.ProgressLocation.Window, title: 'Puppet' },
            async () => next(command, [isObject(first) ? { ...first, show: false } : first, ...others])
          );
          await this.pages.show(result);
          return result;
        }
      }
    };
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => this.log.error(String(error)));
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.parts).dispose();
  }

  /** Return the client of a server that runs; else say that none does. */
  private async running(): Promise<LanguageClient | undefined> {
    await Promise.race([
      this.started,
      new Promise(resolve => setTimeout(resolve, PATIENCE_MS))
    ]);
    if (this.client?.isRunning()) {
      return this.client;
    }
    const show = 'Show Log';
    const restart = 'Restart';
    void vscode.window.showErrorMessage('The Puppet server does not run.', show, restart)
      .then(picked => {
        if (picked === show) {
          this.log.show();
        } else if (picked === restart) {
          void this.restart();
        }
      });
    return undefined;
  }

  /** Run a command of the server for the cursor or the selection of the editor, else its line. */
  private async run(name: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      await vscode.window.showInformationMessage('There is no Puppet code in the editor.');
      return;
    }
    const client = await this.running();
    if (client === undefined) {
      return;
    }
    const convert = client.code2ProtocolConverter;
    const { document, selection } = editor;
    const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
    const argument = {
      textDocument: { uri: convert.asUri(document.uri) },
      position: convert.asPosition(selection.active),
      ...(name === 'evaluate' ? { range: convert.asRange(range) } : {})
    };
    try {
      await vscode.commands.executeCommand(`${SECTION}.${name}`, argument);
    } catch (error) {
      await vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  /** Let the user choose the node and the facts, which are kept in the settings. */
  private async chooseNode(): Promise<void> {
    if (await this.running() === undefined) {
      return;
    }
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const args = uri === undefined ? [] : [uri];
    const found = await vscode.commands.executeCommand<Nodes>(`${SECTION}.nodes`, ...args);
    const item = (label: string, key: string, value: string | null, chosen: boolean) =>
      ({ label: `${chosen ? '$(check) ' : ''}${label}`, key, value });
    const rule = (label: string) =>
      ({ label, kind: vscode.QuickPickItemKind.Separator, key: '', value: null });
    const picked = await vscode.window.showQuickPick(
      [
        rule('node'),
        item('no node', 'node', null, found.node === null),
        ...found.nodes.map(({ name }) => item(name, 'node', name, name === found.node)),
        rule('facts'),
        item('no facts', 'facts', null, found.facts === null),
        ...found.factSets.map(name => item(name, 'facts', name, name === found.facts))
      ],
      { title: 'Puppet: the node and the facts for values of data' }
    );
    if (picked !== undefined) {
      const target = vscode.workspace.workspaceFolders === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
      await settings().update(picked.key, picked.value ?? undefined, target);
    }
  }

  /** Keep a problem of the server in the status bar, or clear it. */
  private showProblem(problem: string | undefined): void {
    this.problem = problem;
    this.showStatus();
  }

  /** Show the node and the environment, or the problem, while there is Puppet code in the editor. */
  private showStatus(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (!LANGUAGES.includes(document?.languageId ?? '')) {
      this.status.hide();
      return;
    }
    const directory = document && vscode.workspace.getWorkspaceFolder(document.uri)?.name;
    const node = settings().get<string | null>('node') ?? 'no node';
    const facts = settings().get<string | null>('facts') ?? 'none';
    this.status.text = this.problem === undefined
      ? `$(server) ${node}${directory === undefined ? '' : ` · ${directory}`}`
      : `$(warning) Puppet: ${this.problem}`;
    this.status.tooltip = this.problem === undefined
      ? `Puppet: node ${node}, facts ${facts}`
      : 'The Puppet server does not run: show its log, or restart it';
    this.status.show();
  }
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(SECTION);
}

/** Toggle comments of the selected lines of a template; within a tag as VS Code does it. */
async function toggleComment(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { document } = editor;
  const ranges = editor.selections.map(({ start, end }) => {
    const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
    return new vscode.Range(start.line, 0, last, document.lineAt(last).text.length);
  });
  const above = (range: vscode.Range) => document.getText(new vscode.Range(0, 0, range.start.line, 0));
  if (document.languageId !== 'epp' || ranges.some(range => endsInTag(above(range)))) {
    await vscode.commands.executeCommand('editor.action.commentLine');
    return;
  }
  await editor.edit(edit => {
    for (const line of new Set(ranges.map(range => range.start.line))) {
      const range = ranges.find(each => each.start.line === line);
      if (range !== undefined) {
        const lines = document.getText(range).split(/\r?\n/);
        edit.replace(range, toggled(lines).join('\n'));
      }
    }
  });
}

function chosenProgram(): string[] {
  return settings().get<string[]>('command', []);
}

/** Return the settings that the server knows: all but the program to start. */
function given(from: vscode.WorkspaceConfiguration): Record<string, unknown> {
  const all = JSON.parse(JSON.stringify(from)) as Record<string, unknown>;
  delete all['command'];
  return all;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function debugAdapter(
  directory: vscode.WorkspaceFolder | undefined
): Promise<vscode.DebugAdapterDescriptor | undefined> {
  if (!vscode.workspace.isTrusted) {
    throw new Error('Nothing is debugged in restricted mode.');
  }
  const program = await programOf(chosenProgram());
  if (program === undefined) {
    void sayMissing(chosenProgram());
    return undefined;
  }
  const [command = '', ...first] = program;
  const options = directory === undefined ? {} : { cwd: directory.uri.fsPath };
  return new vscode.DebugAdapterExecutable(command, [...first, 'debug-adapter'], options);
}

/** Return the configuration of a launch; without one (F5 in a file) the file is run. */
function withDefaults(from: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
  if (from.type) {
    return from;
  }
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !LANGUAGES.includes(document.languageId)) {
    return undefined;
  }
  return {
    type: SECTION,
    request: 'launch',
    name: 'Puppet: this file',
    program: document.uri.fsPath,
    show: 'resources'
  };
}

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { version } = context.extension.packageJSON as { version: string };
  extension = new Extension(version);
  context.subscriptions.push(extension);
  void extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
