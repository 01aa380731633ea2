"""A page in headless Chromium that is used by the keyboard alone: keys go the way that a user's do, through the browser, over the pipe that Chromium
offers to debuggers (two file descriptors, JSON with a zero byte behind it). Python's own library is all it needs."""
import fcntl
import json
import os
import select
import subprocess
import time

CODES = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}


class Keyboard:
    def __init__(self, chromium, folder, width=1200):
        hears, says = os.pipe(), os.pipe()
        child = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (hears[0], says[1])]  # beyond the two that are wanted

        def connect():
            os.dup2(child[0], 3)
            os.dup2(child[1], 4)

        self.browser = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--window-size={width},900",
             f"--user-data-dir={folder}/keyboard"], preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        for fd in (*child, hears[0], says[1]):
            os.close(fd)
        self.to, self.of, self.heard, self.last, self.session, self.notices = hears[1], says[0], b"", 0, None, []

    def _next(self, until):
        while b"\0" not in self.heard:
            assert select.select([self.of], [], [], max(until - time.monotonic(), 0))[0], "Chromium says nothing"
            more = os.read(self.of, 1 << 16)
            assert more, "Chromium is gone"
            self.heard += more
        one, self.heard = self.heard.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data, until = json.dumps(message).encode() + b"\0", time.monotonic() + 120
        while data:
            data = data[os.write(self.to, data):]
        while True:
            got = self._next(until)
            if got.get("id") == self.last:
                assert "error" not in got, got
                return got["result"]
            self.notices.append(got.get("method"))

    def open(self, url):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, script):
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def until(self, script):
        for _ in range(600):
            if self.value(script):
                return
            time.sleep(0.1)
        raise AssertionError("never: " + script)

    def press(self, key):
        """A named key, or a letter."""
        code, text = CODES.get(key), {"Enter": "\r"}.get(key, key if key not in CODES else "")
        more = {"windowsVirtualKeyCode": code, "code": key} if code else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", key=key, text=text, **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def tab_to(self, script):
        """Presses the tabulator until the element in focus, `here`, is the one; how it shows that. It has to show it."""
        for _ in range(200):
            self.press("Tab")
            if self.value(f"(here => {script})(document.activeElement)"):
                assert self.value("(here => { const s = getComputedStyle(here); return s.outlineStyle !== 'none' && s.outlineWidth !== '0px'"
                                  " || s.boxShadow !== 'none' })(document.activeElement)"), "focus is not seen: " + script
                return
        raise AssertionError("the tabulator does not reach: " + script)

    def close(self):
        self.session = None
        self.ask("Browser.close")
        self.browser.wait(60)
        os.close(self.to)
        os.close(self.of)
