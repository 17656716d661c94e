// Tokens of texts by vscode-textmate, the engine of VS Code: reads lines of JSON, each with a
// text and the scope of its grammar, and answers each with pairs of a length and scopes.
// Arguments: the files of grammars.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(`${process.cwd()}/`);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const grammars = new Map(
  process.argv.slice(2).map(path => {
    const grammar = JSON.parse(readFileSync(path, 'utf8'));
    return [grammar.scopeName, grammar];
  })
);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text)
  }),
  loadGrammar: async scope => grammars.get(scope) ?? null
});

for await (const request of createInterface({ input: process.stdin })) {
  const { text, scope } = JSON.parse(request);
  const grammar = await registry.loadGrammar(scope);
  const found = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const { startIndex, endIndex, scopes } of tokens) {
      const end = Math.min(endIndex, line.length);
      if (end > startIndex) {
        found.push([end - startIndex, scopes]);
      }
    }
    found.push([1, []]);
    state = ruleStack;
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
