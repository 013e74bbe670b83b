"""A real HTTP server on this machine, for tests of what speaks to one."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Answering(BaseHTTPRequestHandler):
    """A handler that takes JSON, answers with bytes and says nothing on the console."""

    def do_POST(self):
        self.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, status, data, headers=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def tell(self, told, released, well):
        """Fail as told (a status, "hang" until released, "cut"), else answer with what `well` makes of it."""
        if told == "hang":
            released.wait(20)
        elif told == "cut":
            self.connection.close()
        elif isinstance(told, int):
            self.answer(told, b"{}", {"Retry-After": "0"})
        else:
            self.answer(200, well(told))

    def log_message(self, *_):
        pass


@contextmanager
def listening(handler):
    """The address of a server that answers by this handler, until the block ends."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@contextmanager
def serving(server, handler):
    """Let a server of a test answer by this handler at its `url`; what hangs in it is released at the end."""
    with listening(handler) as server.url:
        try:
            yield server
        finally:
            server.released.set()


def completion(answer, asked=100, given=10):
    """A chat completion, as an OpenAI-compatible server writes one."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    usage = {"prompt_tokens": asked, "completion_tokens": given}
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": usage}).encode()
