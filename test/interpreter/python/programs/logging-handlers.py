import logging
import sys

# Messages of loggers: to a handler of the program's own, and to standard output where the program says so.


class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append((record.levelname, record.name, record.getMessage()))


app = logging.getLogger("app")
app.info("dropped: nothing is configured")
seen = ListHandler()
app.addHandler(seen)
app.setLevel(logging.DEBUG)
db = logging.getLogger("app.db")
db.debug("query %d of %s", 5, "users")
db.warning("%(k)s!", {"k": "slow"})
logging.getLogger("other").error("not for app")
print(seen.records, db.getEffectiveLevel(), logging.getLevelName(30))
out = logging.StreamHandler(sys.stdout)
out.setFormatter(logging.Formatter("%(levelname)-8s|%(name)s|%(message)s"))
out.setLevel(logging.WARNING)
db.addHandler(out)
db.info("too low")
db.error("shown %r", {"a": 1})
db.removeHandler(out)
db.error("not shown")
print(len(seen.records), db.hasHandlers(), app.isEnabledFor(logging.DEBUG))


class Json(logging.Formatter):
    def format(self, record):
        return f"{{{record.levelname}: {super().format(record)}}}"


own = logging.StreamHandler(sys.stdout)
own.setFormatter(Json("<%(message)s>"))
web = logging.getLogger("web")
web.addHandler(own)
web.warning("formatted by its own class")
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
logging.info("from the root: %s", [1])
logging.debug("hidden")
app.critical("both")
try:
    1 / 0
except ZeroDivisionError as e:
    logging.getLogger("jobs").error("failed: %s", e)
print(seen.records[-1])
