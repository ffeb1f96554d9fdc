"""Receives webhooks of Assay and prints what they tell. Needs Python 3.9 or later, nothing else.

Set SECRET to what `assay webhooks create` printed; PORT as needed.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["SECRET"].replace("whsec_", "", 1))
TOLERANCE_SECONDS = 300
MAX_BYTES = 100_000
# An event can come twice. Keep what you have seen where a restart does not lose it.
seen = set()


def is_genuine(headers, body):
    """Whether a request is Assay's own: signed by the secret, and not an old one sent again."""
    event, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # After a rotation there are two.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(one, expected.encode()) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if length > MAX_BYTES:
            return self.answer(413)
        # The bytes as they came: parsed and written again they may be others.
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.answer(401)
        self.answer(204)
        event = self.headers["webhook-id"]
        if event in seen:
            return
        seen.add(event)
        told = json.loads(body)
        data = told["data"]
        score = (data.get("headline") or {}).get("value", "")
        print(told["type"], data.get("run") or data.get("submission", ""), score, flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening on port", server.server_address[1], flush=True)
server.serve_forever()
