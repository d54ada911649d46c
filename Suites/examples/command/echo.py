#!/usr/bin/env python3
"""The smallest program that can be a profile: it says the prompt again, word by word.

It reads one request as JSON on standard input and writes events as JSON lines on standard output
(Docs/CommandProvider.md). With --snapshots each event holds the whole text so far, as Apple's LanguageModelSession
streams it.
"""
import json
import sys
import time


def say(**event):
    print(json.dumps(event), flush=True)  # without flush nothing is seen before the end


request = json.load(sys.stdin)
words = request["prompt"].split(" ")
say(model="echo-1")
text = ""
for place, word in enumerate(words):
    time.sleep(0.01)  # as if it thought
    piece = word if place == 0 else " " + word
    text += piece
    if "--snapshots" in sys.argv:
        say(snapshot=text)
    else:
        say(text=piece)
say(usage={"input": len(words), "output": len(words)})
say(finish="stop")
