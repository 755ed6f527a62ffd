"""A real browser without a window, driven through its pipe: Chromium, as Debian has it."""

from __future__ import annotations

import base64
import io
import json
import os
import select
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pytest
from PIL import Image

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0  # seconds
LEFT = "navigated", "context"  # in what the browser says of a page that is asked while it is left
COUNT_PLAYS = (
    "addEventListener('playing', ({target}) => target.plays = (target.plays || 0) + 1, true)"
)


def chromium() -> str:
    """The browser's program; without one the test is skipped, but never in CI."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        assert not os.environ.get("CI"), "CI has no browser: apt-get install chromium"
        pytest.skip("no Chromium here: apt-get install chromium")
    return found


class Browser:
    """A browser process; `page` opens an address in a tab of its own."""

    def __init__(self, folder: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        flags = (
            "--headless=new --no-sandbox --disable-gpu --mute-audio --hide-scrollbars "
            f"--remote-debugging-pipe --force-device-scale-factor=1 --user-data-dir={folder}"
        )
        self._process = subprocess.Popen(
            ["bash", "-c", f"exec {chromium()} {flags} 3<&{to_browser} 4>&{from_browser}"],
            pass_fds=(to_browser, from_browser),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer, self._count = b"", 0
        self._said: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def page(self, address: str, width: int, height: int) -> Page:
        """Open an address in a window of this size; `plays` of a video says how often it began."""
        page = self._attach(self.ask("Target.createTarget", url="about:blank")["targetId"])
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=COUNT_PLAYS)
        page.ask("Page.bringToFront")
        page.open(address)
        return page

    def popups(self, opener: Page) -> list[Page]:
        """The windows that a page has opened."""
        found = self.ask("Target.getTargets")["targetInfos"]
        return [self._attach(each["targetId"]) for each in found
                if each.get("openerId") == opener.target]  # fmt: skip

    def ask(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        self._count += 1
        wanted: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session:
            wanted["sessionId"] = session
        os.write(self._out, json.dumps(wanted).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._count:
                error = said.get("error")
                if error and any(word in error["message"] for word in LEFT):
                    raise PageLeft(error)
                assert error is None, error
                answer: dict[str, Any] = said["result"]
                return answer
            self._said.append(said)

    def heard(self, session: str, *methods: str) -> list[dict[str, Any]]:
        """What a page has said of its own accord."""
        return [each["params"] for each in self._said
                if each.get("sessionId") == session and each["method"] in methods]  # fmt: skip

    def _attach(self, target: str) -> Page:
        asked = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self, asked["sessionId"], target)
        for domain in ("Page", "Runtime", "Log"):
            page.ask(f"{domain}.enable")
        return page

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            assert select.select([self._in], [], [], PATIENCE)[0], "the browser does not answer"
            part = os.read(self._in, 2**20)
            assert part, "the browser has ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        said: dict[str, Any] = json.loads(message)
        return said


class PageLeft(AssertionError):  # noqa: N818 - it is no mistake
    """The browser has no answer, for the page that was asked has given way to another one."""


class Page:
    """A tab."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser, self.session, self.target = browser, session, target

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.browser.ask(method, self.session, **parameters)

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def run(self, script: str, *, touched: bool = False) -> Any:
        """The value of an expression, awaited; `touched` as if the user had done it."""
        asked = self.ask("Runtime.evaluate", expression=script, awaitPromise=True,
                         returnByValue=True, userGesture=touched)  # fmt: skip
        assert "exceptionDetails" not in asked, asked["exceptionDetails"]
        return asked["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true; a page that is just being left has no answer yet."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(PageLeft):
                if self.run(f"!!({condition})"):
                    return
            assert time.monotonic() < deadline, condition
            time.sleep(0.05)

    def press(self, key: str, code: int) -> None:
        """Press a key, as a user does."""
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                     code=key if len(key) > 1 else f"Key{key.upper()}")  # fmt: skip

    def screenshot(self) -> np.ndarray:
        """What the page shows, RGB."""
        shot = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
        with Image.open(io.BytesIO(shot)) as image:
            return np.asarray(image.convert("RGB"))

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of the page, its console and its files."""
        logged = [each["entry"] for each in self.browser.heard(self.session, "Log.entryAdded")]
        called = self.browser.heard(self.session, "Runtime.consoleAPICalled")
        return [
            *(str(each) for each in self.browser.heard(self.session, "Runtime.exceptionThrown")),
            *(f"{each['text']} {each.get('url', '')}" for each in logged),
            *(str(each["args"]) for each in called if each["type"] in {"error", "warning"}),
        ]
