"""Retries and errors, against a server that fails in every way."""

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar
from unittest.mock import patch

from limn_client import InvalidInputError, Limn, LimnError, ServerError, TooManyRequestsError, UnreachableError

Answer = tuple[int, dict[str, str], Any]


class Handler(BaseHTTPRequestHandler):
    answers: ClassVar[list[Answer]] = []
    commands: ClassVar[list[str | None]] = []

    def _answer(self) -> None:
        Handler.commands.append(self.headers.get("X-Limn-Command"))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, headers, body = Handler.answers.pop(0)
        if status == 0:
            self.connection.close()
            return
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = _answer

    def log_message(self, *_: Any) -> None:
        pass


class Transport(unittest.TestCase):
    def setUp(self) -> None:
        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.limn = Limn(f"http://127.0.0.1:{self.server.server_port}", token="limn_x", tries=3, first_pause=0.001)
        Handler.commands = []
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def test_repeats_a_command_with_the_same_id(self) -> None:
        Handler.answers = [(503, {}, {}), (0, {}, None), (200, {}, {"id": 1, "name": "x", "owner": "ada", "categories": []})]
        self.assertEqual(self.limn.create_dataset("x").id, 1)
        first, *others = Handler.commands
        self.assertIsNotNone(first)
        self.assertEqual(others, [first, first])

    def test_waits_as_long_as_the_server_asks_for(self) -> None:
        Handler.answers = [(429, {"Retry-After": "7"}, {}), (200, {}, [])]
        with patch("limn_client.transport.time.sleep") as sleep:
            self.assertEqual(self.limn.datasets(), [])
        sleep.assert_called_once_with(7.0)

    def test_does_not_wait_for_minutes(self) -> None:
        Handler.answers = [(429, {"Retry-After": "600"}, {"message": "Too many wrong passwords."})]
        with self.assertRaises(TooManyRequestsError) as caught:
            self.limn.datasets()
        self.assertEqual(caught.exception.retry_after, 600)

    def test_does_not_repeat_an_import_that_may_have_arrived(self) -> None:
        row = {"id": 1, "name": "x", "owner": "ada", "categories": []}
        Handler.answers = [(200, {}, [row]), (0, {}, None)]
        with self.assertRaises(UnreachableError):
            self.limn.dataset("x").import_annotations({"images": [], "annotations": [], "categories": []})
        self.assertEqual(len(Handler.commands), 2)

    def test_has_the_message_status_and_reasons_of_the_server(self) -> None:
        body = {"message": "Invalid input", "errors": {"name": "Dataset name is required"}, "code": None}
        Handler.answers = [(400, {}, body)]
        with self.assertRaises(InvalidInputError) as caught:
            self.limn.create_dataset("")
        self.assertEqual(caught.exception.status, 400)
        self.assertEqual(caught.exception.message, "Invalid input")
        self.assertEqual(caught.exception.errors, {"name": "Dataset name is required"})

    def test_gives_up_after_the_last_try(self) -> None:
        Handler.answers = [(502, {}, b"<h1>Bad gateway</h1>")] * 3
        with self.assertRaises(ServerError) as caught:
            self.limn.datasets()
        self.assertEqual(caught.exception.message, "The server responded with status 502.")

    def test_refuses_a_name_that_several_datasets_have(self) -> None:
        rows = [{"id": id, "name": "x", "owner": owner, "categories": []} for id, owner in [(1, "ada"), (2, "bob")]]
        Handler.answers = [(200, {}, rows), (200, {}, rows)]
        with self.assertRaisesRegex(LimnError, "Several datasets"):
            self.limn.dataset("x")
        self.assertEqual(self.limn.dataset(2).owner, "bob")

    def test_says_that_another_program_responds(self) -> None:
        Handler.answers = [(200, {}, b"<p>")]
        with self.assertRaisesRegex(LimnError, "Is it Limn?"):
            self.limn.datasets()


if __name__ == "__main__":
    unittest.main()
