#!/usr/bin/env python3
"""real_client.py DSLC: a short session by the client of pygls (PyPI), whose types check all that the server says. Skipped, status 77,
where pygls is not installed."""
import asyncio
import os
import sys
import tempfile

try:
    from lsprotocol import types as t
    try:
        from pygls.lsp.client import LanguageClient as Client  # 2
    except ImportError:
        from pygls.lsp.client import BaseLanguageClient as Client  # 1
except ImportError:
    print("skipped: python3 knows no pygls: pip install pygls")
    sys.exit(77)

TEXT = """scheme warm on mesh(2) {
  parameter kappa = 1 [m^2/s]
  state T @ cells [K]
  flux q @ faces = kappa*(T[L] - T[R])/distance
  boundary held(Tw [K]) { ghost T = 2*Tw - T[L] }
  dt = 0.1 [s]
  step { update T = T - dt/volume*sum(f of c) area*q }
}
"""


async def session(dslc):
    client = Client("tests", "1")
    said = {}

    @client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def published(params):
        said[params.version] = params.diagnostics

    async def until(version):
        for _ in range(600):
            if version in said:
                return said[version]
            await asyncio.sleep(0.05)
        raise AssertionError("no messages about version %d" % version)

    await client.start_io(dslc, "lsp")
    started = await client.initialize_async(t.InitializeParams(capabilities=t.ClientCapabilities(), process_id=os.getpid()))
    assert started.server_info.name == "dslc"
    client.initialized(t.InitializedParams())
    uri = "file://" + os.path.join(os.path.realpath(tempfile.mkdtemp()), "warm.ew")
    document = t.TextDocumentIdentifier(uri=uri)
    client.text_document_did_open(t.DidOpenTextDocumentParams(
        text_document=t.TextDocumentItem(uri=uri, language_id="edgewise", version=1, text=TEXT)))
    assert not await until(1)
    wrong = t.Range(start=t.Position(line=2, character=19), end=t.Position(line=2, character=20))
    client.text_document_did_change(t.DidChangeTextDocumentParams(
        text_document=t.VersionedTextDocumentIdentifier(uri=uri, version=2),
        content_changes=[t.TextDocumentContentChangePartial(range=wrong, text="Kelvin")]))
    assert [d.code for d in await until(2)] == ["E0208"]
    at = t.Position(line=3, character=7)
    hover = await client.text_document_hover_async(t.HoverParams(text_document=document, position=at))
    assert "flux q @ faces" in hover.contents.value
    edit = await client.text_document_rename_async(t.RenameParams(text_document=document, position=at, new_name="heat"))
    assert len(edit.changes[uri]) == 2
    where = await client.text_document_definition_async(
        t.DefinitionParams(text_document=document, position=t.Position(line=6, character=TEXT.splitlines()[6].index("q }"))))
    assert where.range.start.line == 3, where
    items = await client.text_document_completion_async(t.CompletionParams(text_document=document, position=at))
    assert any(i.label == "kappa" for i in items.items)
    outline = await client.text_document_document_symbol_async(t.DocumentSymbolParams(text_document=document))
    assert [s.name for s in outline[0].children] == ["kappa", "T", "q", "held", "dt"]
    edits = await client.text_document_formatting_async(t.DocumentFormattingParams(
        text_document=document, options=t.FormattingOptions(tab_size=2, insert_spaces=True)))
    assert edits is not None
    actions = await client.text_document_code_action_async(t.CodeActionParams(
        text_document=document, range=wrong, context=t.CodeActionContext(diagnostics=[])))
    assert actions is not None
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


asyncio.run(asyncio.wait_for(session(sys.argv[1]), 120))
print("good")
