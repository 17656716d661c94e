"""The picture that other sites show with a link to this one, 1200 by 630 as they ask for."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

STATIC = Path(__file__).parents[2] / "docs" / "_static"
CARD = STATIC / "social-card.png"
SIZE: ViewportSize = {"width": 1200, "height": 630}
MAX_BYTES = 300_000
STYLE = """
body { margin: 0; width: 1200px; height: 630px; background: #2b2440; color: #fff; display: grid;
  grid-template-columns: 460px 1fr; align-items: center; gap: 30px; box-sizing: border-box;
  padding: 0 50px; font-family: system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 60px; margin: 24px 0 16px; } p { font-size: 30px; line-height: 1.35; margin: 0;
  color: #e4def5; } .mark { width: 120px; } .screen { width: 100%; border-radius: 8px; }
"""


def card(page: Page, directory: Path) -> bytes:
    """Return the card as PNG: the mark, the name, what it is, the end of the session."""
    mark, session = ((STATIC / name).as_uri() for name in ("favicon.svg", "session-dark.svg"))
    # A page from a string may not show pictures of files.
    source = directory / "card.html"
    source.write_text(
        f"""<!doctype html><meta charset="utf-8"><style>{STYLE}</style>
        <div><img class="mark" src="{mark}"><h1>puppet-repl</h1>
        <p>The Puppet language at a prompt, in notebooks, tests and documentation</p></div>
        <img class="screen" src="{session}#still">""",
        encoding="utf-8",
    )
    page.set_viewport_size(SIZE)
    page.goto(source.as_uri())
    picture: bytes = page.screenshot()
    return picture
