// Pages with results: documents that are nowhere on the disk, shown as Markdown.

import * as vscode from 'vscode';

const SCHEME = 'puppet-repl-result';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registered: vscode.Disposable;
  readonly onDidChange = this.changes.event;

  constructor() {
    this.registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  /** Show a result of the server that has a title and a text, beside the editor. */
  async show(result: unknown): Promise<void> {
    const { title, text } = (result ?? {}) as { title?: unknown; text?: unknown };
    if (typeof title !== 'string' || typeof text !== 'string') {
      return;
    }
    const path = `/${title.replaceAll('/', '∕')}.md`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    this.texts.set(path, text);
    this.changes.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  }

  dispose(): void {
    this.registered.dispose();
    this.changes.dispose();
  }
}
