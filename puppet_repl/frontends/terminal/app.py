"""The interactive prompt: reads an entry, runs it, shows its result, and begins again."""

from __future__ import annotations

from functools import partial

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.auto_suggest import ConditionalAutoSuggest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.cursor_shapes import ModalCursorShapeConfig
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DynamicStyle

from puppet_repl.base.errors import PuppetError
from puppet_repl.base.safe_text import visible
from puppet_repl.frontends.commands import is_command, meant_input, parse_command
from puppet_repl.frontends.commands.entries import continues, next_indent, wants_more
from puppet_repl.frontends.shared.display import show_problem, show_stop
from puppet_repl.frontends.terminal import editing
from puppet_repl.frontends.terminal.background import Background
from puppet_repl.frontends.terminal.completer import HistorySuggest, SessionCompleter
from puppet_repl.frontends.terminal.conditions import Conditions
from puppet_repl.frontends.terminal.explanations import ROWS, Explainer, no_documentation
from puppet_repl.frontends.terminal.history_picker import HistoryPicker
from puppet_repl.frontends.terminal.input_buffer import InputBuffer
from puppet_repl.frontends.terminal.key_list import all_keys
from puppet_repl.frontends.terminal.keys import make_keys
from puppet_repl.frontends.terminal.layout import make_layout
from puppet_repl.frontends.terminal.lexer import InputLexer
from puppet_repl.frontends.terminal.live_errors import Checker, Problem
from puppet_repl.frontends.terminal.panels import SettingsPanel
from puppet_repl.frontends.terminal.screen import Screen, SparingOutput
from puppet_repl.frontends.terminal.theme import Colors
from puppet_repl.frontends.terminal.toolbar import Bar
from puppet_repl.frontends.terminal.typing_ahead import TypingAhead
from puppet_repl.frontends.terminal.vi_mode import ModeBefore
from puppet_repl.host.history import Recall
from puppet_repl.host.host import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.input import Input
    from prompt_toolkit.output import Output


# Seconds after which Escape is taken for a lone one; parts of a key sequence may be farther apart.
ESCAPE_SECONDS = 0.02
SEQUENCE_SECONDS = 0.5
VI_SEQUENCE_SECONDS = 0.05


class Terminal:
    """One prompt on one session."""

    def __init__(
        self,
        host: Host,
        *,
        color: bool = True,
        keyboard: Input | None = None,
        display: Output | None = None,
        typing: TypingAhead | None = None,
    ) -> None:
        self.host = host
        host.can_edit = True
        host.keys = partial(all_keys, self)
        host.can_rerun = True
        host.has_screen = True
        host.may_redirect = True
        host.can_tour = True
        host.look = self._look
        host.open_prompt()
        self.session = host.session
        self.settings = host.settings
        self.history = host.history
        self.recall = Recall(self.history)
        self.picker = HistoryPicker(self.history)
        self._mode_before = ModeBefore()
        self.panel = SettingsPanel(self.settings)
        self.lexer = InputLexer()
        self.completer = SessionCompleter(self.host)
        self.checker = Checker(self.session, self._invalidate)
        self.explainer = Explainer(self.session, self._invalidate)
        self.conditions = Conditions(self)
        self._is_warm = False
        self.bar = Bar(self)
        self.has_failed = False
        self.colors = Colors(self.settings)
        self.buffer = self._make_buffer()
        self.query = Buffer(on_text_changed=lambda b: self.picker.search(b.text), multiline=False)
        self.application: Application[str] = Application(
            layout=make_layout(self),
            key_bindings=make_keys(self),
            style=DynamicStyle(self.colors.style),
            include_default_pygments_style=False,
            editing_mode=self.editing_mode,
            cursor=ModalCursorShapeConfig(),
            enable_page_navigation_bindings=False,
            mouse_support=False,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            input=keyboard,
            output=SparingOutput.to(display or get_app_session().output),
        )
        self.application.ttimeoutlen = ESCAPE_SECONDS
        # The layout does not need cursor position reports (CPR); silence the warning about them.
        self.application.renderer.cpr_not_supported_callback = None
        self.colors.background = Background(
            self.application.input, self.application.output, self._invalidate
        )
        self.application.after_render += self._rendered
        self.typing = typing or TypingAhead(self.application.input, self.application.output)
        self.screen = Screen(
            self.application.output, self.colors, self.typing, self.settings, color=color
        )
        host.copy = self.screen.copy
        self.settings.changed.append(self._setting_changed)
        self._setting_changed("editing_mode")
        self._setting_changed("check_syntax")
        host.show_logs(self.screen.log)

    def _make_buffer(self) -> InputBuffer:
        return InputBuffer(
            self.completer,
            multiline=True,
            complete_while_typing=self.conditions.menu_while_typing,
            auto_suggest=ConditionalAutoSuggest(
                HistorySuggest(self.history), self.conditions.suggestions
            ),
            history=DummyHistory(),
            tempfile_suffix=".pp",
            accept_handler=self._accept,
            on_text_changed=self._text_changed,
            on_cursor_position_changed=self._cursor_moved,
        )

    # The loop

    def begin(self) -> None:
        """Run the code before the first entry: manifests and the start-up file."""
        for problem in self.host.start():
            show_problem(self.screen, problem)

    def run(self) -> int:
        """Read and run entries until the user leaves."""
        while True:
            try:
                text = self.read()
                if text.strip() and not self.handle(text):
                    return 0
            except KeyboardInterrupt:
                continue
            except EOFError:
                self.screen.flush()
                return 0
            except Exception as error:
                # A defect in the handler of a key must not end the session.
                self.report_stop(error)

    def read(self) -> str:
        """Return one entry. Raise KeyboardInterrupt for Ctrl-C and EOFError for Ctrl-D."""
        self.buffer.reset()
        self.recall.forget()
        self.panel.is_open = False
        self.bar.forget()
        self.explainer.forget()
        if self.picker.is_open:
            self.close_picker(None)
        self.screen.before_prompt()
        try:
            return self.application.run()
        finally:
            self.checker.forget()
            self.screen.after_prompt()

    def handle(self, text: str) -> bool:
        """Run one entry; return False when the user wants to leave."""
        self.screen.before_output()
        text = meant_input(text)
        self.has_failed = True
        before = self.session.count
        try:
            problem = self.host.remember(text)
            if problem:
                show_problem(self.screen, problem)
            if is_command(text):
                return self._run_command(text)
            from puppet_repl.frontends.shared.entry_display import show_entry

            self.has_failed = not show_entry(self.host, text, self.screen)
        except KeyboardInterrupt as stop:
            from puppet_repl.frontends.shared.results import input_since, stop_error

            shown = None if is_command(text) else input_since(self.session, before)
            show_problem(self.screen, stop_error(stop, shown=shown))
        except Exception as error:
            self.report_stop(error)
        finally:
            self.screen.after_output(failed=self.has_failed)
        return True

    def report_stop(self, error: Exception) -> None:
        """Say that a limit was met, or that the program itself failed; the session goes on."""
        show_stop(self.screen, error)

    def _run_command(self, text: str) -> bool:
        """Run a command; return whether to stay."""
        from puppet_repl.frontends.shared.entry_display import show_command

        report = show_command(self.host, text, self.screen)
        self.has_failed = report.failed
        if report.action is None:
            return True
        from puppet_repl.frontends.terminal.actions import act

        return act(self, report.action)

    def _look(self) -> None:
        """Let the user look at code that has stopped, with the same editor."""
        from puppet_repl.frontends.terminal.stopped import look

        look(self)

    # Called by the keys

    def is_ready(self, text: str, cursor: int) -> bool:
        """Tell whether Enter runs the entry rather than opening a line.

        An entry of one line runs wherever the cursor is, a longer one only from its end.
        """
        if not text.strip():
            return True
        if text[cursor:].strip() and "\n" in text:
            return False
        if editing.wants_submit(text, cursor):
            return True
        return not wants_more(self.session, text)

    def indent_after(self, before: str) -> str:
        """Return the indentation of the line after a text."""
        command = parse_command(before)
        if command is not None:
            before = command[1]
        indent = next_indent(self.session, before)
        if indent is None:
            line = before.rpartition("\n")[2]
            return line[: len(line) - len(line.lstrip())]
        return indent

    def go_up(self, count: int = 1) -> None:
        """Go to the line above, or from the first line to the previous entry."""
        buffer = self.buffer
        buffer.complete_state = None
        if buffer.document.cursor_position_row > 0 and not self._recalled():
            buffer.cursor_up(count=count)
            return
        self._step(older=True)

    def go_down(self, count: int = 1) -> None:
        """Go to the line below, or from the last line to the next entry."""
        buffer = self.buffer
        document = buffer.document
        if buffer.complete_state is not None and document.on_last_line:
            buffer.complete_next()
            return
        if not document.on_last_line and not self._recalled():
            buffer.cursor_down(count=count)
            return
        self._step(older=False)

    def _recalled(self) -> bool:
        """Tell whether the text is an entry of the history that was not changed."""
        return self.recall.shows(self.buffer.text) and self.buffer.document.is_cursor_at_the_end

    def _step(self, *, older: bool) -> None:
        text = self.recall.step(self.buffer.text, older=older)
        if text is not None:
            self.buffer.set_document(Document(text, len(text)), bypass_readonly=True)

    def open_picker(self) -> None:
        """Open the search through the history, for the typed text."""
        self.buffer.complete_state = None
        self.query.text = self.buffer.text if "\n" not in self.buffer.text else ""
        self.query.cursor_position = len(self.query.text)
        self.picker.open(self.query.text)
        self._mode_before.leave(self.application)
        self.application.layout.focus(self.query)

    def close_picker(self, text: str | None) -> None:
        """Go back to the input, with the chosen text if there is one."""
        self.picker.close()
        self._mode_before.come_back(self.application)
        self.query.reset()
        self.application.layout.focus(self.buffer)
        if text is not None:
            self.buffer.set_document(Document(text, len(text)), bypass_readonly=True)

    def edit_entry(self) -> None:
        """Open an editor on the entry; the prompt then holds the edited text."""
        from prompt_toolkit.application import run_in_terminal

        from puppet_repl.frontends.terminal.programs import EditorError, edit_text

        def edit() -> None:
            try:
                edited = edit_text(self.buffer.text)
            except EditorError as error:
                self.screen.print([("error", "Error: "), ("", f"{visible(str(error))}\n")])
                return
            if edited is not None:
                text = edited.rstrip("\n")
                self.buffer.set_document(Document(text, len(text)), bypass_readonly=True)

        self.buffer.complete_state = None
        run_in_terminal(edit)

    def format_entry(self) -> None:
        """Bring the entry into its form, unless it continues another; show its error, if any."""
        from puppet_repl.frontends.shared.formatted_entry import format_entry
        from puppet_repl.tools.formatting.cursor import moved_cursor

        before = self.buffer.document
        if continues(before.text):
            return
        room = self.width - len(self.host.prompt_text())
        try:
            text = format_entry(self.session, before.text, room)
        except PuppetError as error:
            self.checker.show(before.text, error)
            return
        if text != before.text:
            cursor = moved_cursor(before.text, text, before.cursor_position)
            self.buffer.document = Document(text, cursor)

    def explain_at_cursor(self) -> None:
        """Show the documentation of the name at the cursor, or of the first one in the menu."""
        document = self.buffer.document
        found = self.session.inspect(document.text, document.cursor_position)
        if found is None:
            document = self.buffer.with_first_completion() or document
            found = self.session.inspect(document.text, document.cursor_position)
        self.explainer.pin(found or no_documentation(document.text, document.cursor_position))

    # What the screen shows

    @property
    def width(self) -> int:
        """Columns of the screen."""
        return self.screen.width

    @property
    def height(self) -> int:
        """Rows of the screen."""
        return self.screen.rows

    @property
    def editing_mode(self) -> EditingMode:
        """The mode that is set."""
        return EditingMode.VI if self.settings["editing_mode"] == "vi" else EditingMode.EMACS

    def line_prefix(self, line: int, wrapped: int) -> StyleAndTextTuples:
        """Return the prompt for the first line, dots for the others."""
        prompt = self.host.prompt_text()
        if line == 0 and wrapped == 0:
            return self.screen.marked_prompt(prompt)
        if wrapped:
            return [("class:prompt.more", " " * len(prompt))]
        return [("class:prompt.more", "... ".rjust(len(prompt)))]

    def signature_text(self) -> StyleAndTextTuples:
        """Return the parameters of the open call."""
        return self.explainer.signature_text(self.width) if self.settings["documentation"] else []

    def documentation_rows(self) -> int:
        """Return how many rows documentation below the input may have."""
        return max(ROWS, self.height // 3)

    def documentation_text(self) -> StyleAndTextTuples:
        """Return the documentation of the chosen completion."""
        if not self.settings["documentation"]:
            return []
        rows = self.documentation_rows()
        return self.explainer.documentation_text(self.buffer, self.width, rows)

    def shown_problem(self) -> Problem | None:
        """Return the problem of the input; None while its end is a name that is being typed."""
        if self.buffer.document.text_before_cursor.endswith("::"):
            return None
        state = self.buffer.complete_state
        if state is not None and state.completions:
            return None
        return self.checker.problem(self.buffer.text)

    # Called by prompt_toolkit and the settings

    def _accept(self, buffer: Buffer) -> bool:
        self.application.exit(result=buffer.text)
        return True

    def _text_changed(self, buffer: Buffer) -> None:
        self.checker.look_at(buffer.text)
        self.explainer.text_changed(buffer.document.text_before_cursor)

    def _cursor_moved(self, buffer: Buffer) -> None:
        self.explainer.text_changed(buffer.document.text_before_cursor)

    def _rendered(self, _: Application[str]) -> None:
        if not self._is_warm:
            self._is_warm = True
            self.completer.warm()
        if self.screen.color:
            self.colors.ask()

    def draw_over_prompt(self) -> None:
        """Let the first prompt take the place of one that is before the cursor already."""
        application = self.application

        def go_back(_: object) -> None:
            # Written together with the drawing, so that the prompt does not flicker.
            application.output.write_raw("\r")
            application.before_render -= go_back

        application.before_render += go_back

    def _invalidate(self) -> None:
        self.application.invalidate()

    def _setting_changed(self, name: str) -> None:
        self.bar.forget()
        if name == "editing_mode":
            self.application.editing_mode = self.editing_mode
            is_vi = self.editing_mode == EditingMode.VI
            self.application.timeoutlen = VI_SEQUENCE_SECONDS if is_vi else SEQUENCE_SECONDS
        elif name == "check_syntax":
            self.checker.enabled = self.settings["check_syntax"]
