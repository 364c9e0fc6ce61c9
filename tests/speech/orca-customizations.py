"""Orca loads this file from its data folder. Makes Orca print what it says, one JSON string a line, instead of saying it."""

import json
import logging
import sys

from orca import settings, speech


class Printer(logging.Handler):
    def emit(self, record):
        print(json.dumps(record.getMessage()), flush=True, file=sys.stdout)


# Otherwise, Orca reads the whole page when it has loaded, also while a journey goes on.
settings.sayAllOnLoad = False
speech.init = lambda: None
speech.speakKeyEvent = lambda *_: None
speech.speakCharacter = lambda *_: None
speech.log.setLevel(logging.INFO)
speech.log.addHandler(Printer())
