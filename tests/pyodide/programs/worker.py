"""Give a worker the requests of a JSON list: print the messages and the reply of each as JSON."""

import json
import sys
import time

import start  # type: ignore[import-not-found]  # made by run.mjs

begun = time.perf_counter()
from puppet_kernel.worker import Worker  # noqa: E402

messages: list[str] = []
worker = Worker(messages.append)
for request in json.loads(sys.argv[1]):
    messages.clear()
    reply = json.loads(worker.answer(json.dumps(request)))
    took = time.perf_counter() - begun
    print(json.dumps({"sent": [json.loads(each) for each in messages], "reply": reply, "t": took}))
    begun = time.perf_counter()
unwanted = ("ipykernel", "traitlets", "prompt_toolkit", "regex", "psutil")
print(json.dumps({"loaded": [name for name in unwanted if name in sys.modules]}))
print(json.dumps({"start": start.seconds}))
