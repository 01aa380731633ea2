// Starts `dslc lsp` and hands VS Code's questions to it. No packages: the protocol's two dozen lines are here.
'use strict';
const vscode = require('vscode');
const { spawn } = require('child_process');

let server = null;

class Server {
  constructor(program, onNotice, onEnd) {
    this.next = 1;
    this.waiting = new Map();
    this.heard = Buffer.alloc(0);
    this.onNotice = onNotice;
    this.process = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('error', (e) => this.end(onEnd, e.message));
    this.process.on('exit', (code) => this.end(onEnd, code === 0 ? '' : 'it ended with status ' + code));
    this.process.stdin.on('error', () => {});
    this.process.stdout.on('data', (data) => this.hear(data));
  }

  end(onEnd, why) {
    for (const { reject } of this.waiting.values()) reject(new Error('the language server is gone'));
    this.waiting.clear();
    if (!this.ended && why) onEnd(why);
    this.ended = true;
  }

  send(message) {
    if (this.ended) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
    this.process.stdin.write('Content-Length: ' + body.length + '\r\n\r\n');
    this.process.stdin.write(body);
  }

  notify(method, params) { this.send({ method, params }); }

  // Of a request that VS Code no longer wants, or that is refused, the answer is null.
  ask(method, params, token) {
    if (this.ended) return Promise.resolve(null);
    const id = this.next++;
    if (token) token.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  hear(data) {
    this.heard = Buffer.concat([this.heard, data]);
    for (;;) {
      const end = this.heard.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: *(\d+)/i.exec(this.heard.toString('latin1', 0, end))[1]);
      if (this.heard.length < end + 4 + length) return;
      const message = JSON.parse(this.heard.toString('utf8', end + 4, end + 4 + length));
      this.heard = this.heard.subarray(end + 4 + length);
      const asked = message.method === undefined ? this.waiting.get(message.id) : null;
      if (!asked) { if (message.method) this.onNotice(message); continue; }
      this.waiting.delete(message.id);
      if (message.error) asked.reject(new Error(message.error.message));
      else asked.resolve(message.result);
    }
  }
}

// ---- between VS Code's values and the protocol's -------------------------------------------------------------

const toRange = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const toLocation = (l) => new vscode.Location(vscode.Uri.parse(l.uri), toRange(l.range));
const place = (p) => ({ line: p.line, character: p.character });
const named = (document) => ({ textDocument: { uri: document.uri.toString() } });
const at = (document, position) => ({ ...named(document), position: place(position) });
const toEdits = (edits) => (edits || []).map((e) => vscode.TextEdit.replace(toRange(e.range), e.newText));

function toWorkspaceEdit(edit) {
  const out = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(edit.changes)) out.set(vscode.Uri.parse(uri), toEdits(edits));
  return out;
}

function toDiagnostic(d) {
  const out = new vscode.Diagnostic(toRange(d.range), d.message, d.severity - 1); // VS Code counts from 0
  out.code = d.code;
  out.source = d.source;
  out.tags = d.tags;
  out.relatedInformation = (d.relatedInformation || []).map(
    (r) => new vscode.DiagnosticRelatedInformation(toLocation(r.location), r.message));
  return out;
}

function toSymbol(s) {
  const out = new vscode.DocumentSymbol(s.name, s.detail || '', s.kind - 1, toRange(s.range), toRange(s.selectionRange));
  out.children = (s.children || []).map(toSymbol);
  return out;
}

function toItem(i) {
  const out = new vscode.CompletionItem(i.label, i.kind - 1);
  out.detail = i.detail;
  out.documentation = i.documentation;
  out.sortText = i.sortText;
  out.textEdit = vscode.TextEdit.replace(toRange(i.textEdit.range), i.textEdit.newText);
  return out;
}

function toAction(a) {
  const out = new vscode.CodeAction(a.title, vscode.CodeActionKind.QuickFix);
  out.edit = toWorkspaceEdit(a.edit);
  return out;
}

// ---- what VS Code asks ------------------------------------------------------------------------------------------

function providers(context) {
  const files = { language: 'edgewise' };
  const ask = (method, params, token) => server.ask('textDocument/' + method, params, token).catch(() => null);
  const l = vscode.languages;
  const list = (x, f) => (x || []).map(f);
  context.subscriptions.push(
    l.registerHoverProvider(files, { provideHover: async (d, p, t) => {
      const r = await ask('hover', at(d, p), t);
      return r && new vscode.Hover(new vscode.MarkdownString(r.contents.value), toRange(r.range));
    } }),
    l.registerDefinitionProvider(files, { provideDefinition: async (d, p, t) => {
      const r = await ask('definition', at(d, p), t);
      return r && toLocation(r);
    } }),
    l.registerReferenceProvider(files, { provideReferences: async (d, p, c, t) =>
      list(await ask('references', { ...at(d, p), context: c }, t), toLocation) }),
    l.registerDocumentHighlightProvider(files, { provideDocumentHighlights: async (d, p, t) =>
      list(await ask('documentHighlight', at(d, p), t), (h) => new vscode.DocumentHighlight(toRange(h.range), h.kind - 1)) }),
    l.registerDocumentSymbolProvider(files, { provideDocumentSymbols: async (d, t) =>
      list(await ask('documentSymbol', named(d), t), toSymbol) }),
    l.registerDocumentFormattingEditProvider(files, { provideDocumentFormattingEdits: async (d, o, t) =>
      toEdits(await ask('formatting', { ...named(d), options: o }, t)) }),
    l.registerCompletionItemProvider(files, { provideCompletionItems: async (d, p, t) => {
      const r = await ask('completion', at(d, p), t);
      return r && new vscode.CompletionList(r.items.map(toItem), r.isIncomplete);
    } }, '.', '@', '['),
    l.registerCodeActionsProvider(files, { provideCodeActions: async (d, r, c, t) =>
      list(await ask('codeAction', { ...named(d), range: { start: place(r.start), end: place(r.end) }, context: { diagnostics: [] } }, t),
        toAction) }),
    l.registerRenameProvider(files, { // what is refused says why
      prepareRename: async (d, p, t) => toRange(await server.ask('textDocument/prepareRename', at(d, p), t)),
      provideRenameEdits: async (d, p, newName, t) =>
        toWorkspaceEdit(await server.ask('textDocument/rename', { ...at(d, p), newName }, t)) }));
}

function follow(context) {
  const ours = (d) => d.languageId === 'edgewise';
  const open = (d) => ours(d) && server.notify('textDocument/didOpen', { textDocument: {
    uri: d.uri.toString(), languageId: 'edgewise', version: d.version, text: d.getText() } });
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument((d) => ours(d) && server.notify('textDocument/didClose', named(d))),
    vscode.workspace.onDidSaveTextDocument((d) => ours(d) && server.notify('textDocument/didSave', named(d))),
    vscode.workspace.onDidChangeTextDocument((e) => ours(e.document) && server.notify('textDocument/didChange', {
      textDocument: { uri: e.document.uri.toString(), version: e.document.version },
      contentChanges: e.contentChanges.map((c) => ({ range: { start: place(c.range.start), end: place(c.range.end) }, text: c.text })) })));
  vscode.workspace.textDocuments.forEach(open);
}

async function activate(context) {
  const program = vscode.workspace.getConfiguration('edgewise').get('dslc') || 'dslc';
  const problems = vscode.languages.createDiagnosticCollection('edgewise');
  context.subscriptions.push(problems);
  const heard = (m) => {
    if (m.method === 'textDocument/publishDiagnostics')
      problems.set(vscode.Uri.parse(m.params.uri), m.params.diagnostics.map(toDiagnostic));
    else if (m.method === 'window/showMessage') vscode.window.showInformationMessage(m.params.message);
  };
  const ended = (why) => vscode.window.showErrorMessage(
    'Edgewise: `' + program + ' lsp` cannot be used (' + why + '). Is dslc installed? The setting edgewise.dslc says where it is.');
  server = new Server(program, heard, ended);
  try {
    await server.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  } catch (e) {
    return; // said by `ended`
  }
  server.notify('initialized', {});
  providers(context);
  follow(context);
}

async function deactivate() {
  if (!server || server.ended) return;
  await server.ask('shutdown', {}).catch(() => null);
  server.notify('exit', {});
}

module.exports = { activate, deactivate };
