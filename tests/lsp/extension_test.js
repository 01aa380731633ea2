// extension_test.js EXTENSION DSLC: the VS Code extension over a stand-in for VS Code's own module, with the real server.
'use strict';
const assert = require('assert');
const Module = require('module');
const providers = {}, listeners = {}, published = new Map(), shown = [];
class Position { constructor(line, character) { this.line = line; this.character = character; } }
class Range {
  constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); }
}
const plain = (...names) => function (...values) { names.forEach((n, i) => { this[n] = values[i]; }); };
const register = (name) => (files, provider) => { providers[name] = provider; return {}; };
const listen = (name) => (f) => { listeners[name] = f; return {}; };
const text = 'scheme warm on mesh(2) {\n  state T @ cells\n  flux q @ faces = T[L] - T[R]\n' +
  '  boundary held { ghost T = 0 }\n  dt = 0.1\n  step { update T = T - dt*sum(f of c) q }\n}\n';
const uri = { toString: () => 'file:///nowhere/warm.ew' };
const doc = { languageId: 'edgewise', uri, version: 1, getText: () => text };
const vscode = {
  Position, Range,
  Location: plain('uri', 'range'), Hover: plain('contents', 'range'), MarkdownString: plain('value'),
  Diagnostic: plain('range', 'message', 'severity'), DiagnosticRelatedInformation: plain('location', 'message'),
  DocumentSymbol: plain('name', 'detail', 'kind', 'range', 'selectionRange'), DocumentHighlight: plain('range', 'kind'),
  CompletionItem: plain('label', 'kind'), CompletionList: plain('items', 'isIncomplete'), CodeAction: plain('title', 'kind'),
  CodeActionKind: { QuickFix: 'quickfix' },
  TextEdit: { replace: (range, newText) => ({ range, newText }) },
  WorkspaceEdit: class { constructor() { this.changes = new Map(); } set(u, e) { this.changes.set(u.toString(), e); } },
  Uri: { parse: (s) => ({ toString: () => s }) },
  languages: {
    createDiagnosticCollection: () => ({ set: (u, list) => published.set(u.toString(), list) }),
    registerHoverProvider: register('hover'), registerDefinitionProvider: register('definition'),
    registerReferenceProvider: register('references'), registerDocumentHighlightProvider: register('highlight'),
    registerDocumentSymbolProvider: register('symbols'), registerDocumentFormattingEditProvider: register('format'),
    registerCompletionItemProvider: register('completion'), registerCodeActionsProvider: register('actions'),
    registerRenameProvider: register('rename')
  },
  workspace: {
    textDocuments: [doc], getConfiguration: () => ({ get: () => process.argv[3] }),
    onDidOpenTextDocument: listen('open'), onDidCloseTextDocument: listen('close'),
    onDidSaveTextDocument: listen('save'), onDidChangeTextDocument: listen('change')
  },
  window: { showInformationMessage: (m) => shown.push(m), showErrorMessage: (m) => shown.push('error: ' + m) }
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));

async function until(what, f) {
  for (let i = 0; i < 600; i++) {
    if (f()) return;
    await new Promise((r) => setTimeout(r, 50));
  }
  throw new Error('nothing came: ' + what);
}

async function main() {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  const token = { onCancellationRequested: () => {} }, on = (line, character) => new Position(line, character);
  await until('messages', () => published.has(uri.toString()));
  assert.deepStrictEqual(published.get(uri.toString()), []);
  const hover = await providers.hover.provideHover(doc, on(2, 7), token);
  assert.match(hover.contents.value, /flux q @ faces/);
  const definition = await providers.definition.provideDefinition(doc, on(2, 19), token);
  assert.strictEqual(definition.range.start.line, 1);
  assert.strictEqual((await providers.references.provideReferences(doc, on(1, 8), { includeDeclaration: true }, token)).length, 6);
  const edit = await providers.rename.provideRenameEdits(doc, on(1, 8), 'heat', token);
  assert.strictEqual(edit.changes.get(uri.toString()).length, 6);
  await assert.rejects(providers.rename.provideRenameEdits(doc, on(1, 8), 'q', token), /taken/);
  assert.ok(shown.some((m) => /Cases/.test(m)));
  assert.ok((await providers.completion.provideCompletionItems(doc, on(1, 12), token)).items.some((i) => i.label === 'cells'));
  assert.strictEqual((await providers.symbols.provideDocumentSymbols(doc, token))[0].children.length, 4);
  assert.ok(Array.isArray(await providers.format.provideDocumentFormattingEdits(doc, {}, token)));
  published.clear();
  doc.version = 2;
  listeners.change({ document: doc, contentChanges: [{ range: new Range(2, 19, 2, 20), text: 'TT' }] });
  await until('a message', () => published.has(uri.toString()));
  const [d] = published.get(uri.toString());
  assert.strictEqual(d.code, 'E0200');
  const actions = await providers.actions.provideCodeActions(doc, d.range, {}, token);
  assert.deepStrictEqual(actions.map((a) => a.title), ['Write `T`']);
  await extension.deactivate();
  console.log('good');
}

main().then(() => setTimeout(() => process.exit(0), 200), (e) => { console.error(e); process.exit(1); });
