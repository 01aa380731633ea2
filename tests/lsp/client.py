"""A client of `dslc lsp` for tests: says what it is told to, and keeps what the server says. Python's own library is all it needs."""
import json
import os
import queue
import subprocess
import threading
import time


class Stopped(Exception):
    """The server is gone."""


class Client:
    def __init__(self, dslc):
        self.process = subprocess.Popen([dslc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.said = queue.Queue()
        self.last = 0
        self.answers = {}
        self.notices = []
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.said.put(None)
                    return
                if line == b"\r\n":
                    break
                key, _, value = line.partition(b":")
                if key.lower() == b"content-length":
                    length = int(value)
            self.said.put((time.monotonic(), json.loads(out.read(length).decode("utf-8"))))

    def raw(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError as e:
            raise Stopped from e

    def send(self, message):
        data = json.dumps(dict(message, jsonrpc="2.0"), ensure_ascii=False).encode("utf-8")
        self.raw(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def notify(self, method, params=None):
        self.send({"method": method, "params": params if params is not None else {}})

    def begin(self, method, params=None):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params if params is not None else {}})
        return self.last

    def _take(self, timeout):
        item = self.said.get(timeout=timeout)
        if item is None:
            raise Stopped
        when, message = item
        if "id" in message and "method" not in message:
            self.answers[message["id"]] = (when, message)
        else:
            self.notices.append(message)

    def end(self, number, timeout=60):
        """The whole answer to a request."""
        until = time.monotonic() + timeout
        while number not in self.answers:
            self._take(until - time.monotonic())
        self.when, message = self.answers.pop(number)
        return message

    def ask(self, method, params=None):
        """The result of a request; an error of the server's fails."""
        message = self.end(self.begin(method, params))
        if "error" in message:
            raise AssertionError("%s: %s" % (method, message["error"]))
        return message["result"]

    def refuse(self, method, params=None):
        """The error of a request that must be refused."""
        message = self.end(self.begin(method, params))
        assert "error" in message, (method, message)
        return message["error"]

    def diagnostics(self, uri, version, timeout=60):
        """What is published about a version of a document."""
        until = time.monotonic() + timeout
        while True:
            for n in self.notices:
                if n["method"] != "textDocument/publishDiagnostics":
                    continue
                if n["params"]["uri"] == uri and n["params"].get("version") == version:
                    self.notices.remove(n)
                    return n["params"]["diagnostics"]
            self._take(until - time.monotonic())

    # ---- the usual ----------------------------------------------------------------------------------------------

    def start(self):
        result = self.ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.notify("initialized")
        return result

    def open(self, uri, text, version=1):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "edgewise", "version": version, "text": text}})

    def change(self, uri, version, changes):
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def stop(self):
        """Shutdown and exit; the exit status."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(timeout=30)


def uri_of(path):
    return "file://" + path


def position(text, offset):
    """Of an offset into a str: lines and UTF-16 code units, from 0."""
    before = text[:offset]
    line = before.count("\n")
    start = before.rfind("\n") + 1
    return {"line": line, "character": len(before[start:].encode("utf-16-le")) // 2}


def offset(text, at):
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[:at["line"]])
    units = lines[at["line"]].encode("utf-16-le")[:2 * at["character"]]
    return start + len(units.decode("utf-16-le"))


def find(text, needle, nth=1, into=0):
    """The position of the nth occurrence of some text, `into` characters behind its start."""
    at = -1
    for _ in range(nth):
        at = text.index(needle, at + 1)
    return position(text, at + into)


def apply(text, edits):
    for e in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        text = text[:offset(text, e["range"]["start"])] + e["newText"] + text[offset(text, e["range"]["end"]):]
    return text
