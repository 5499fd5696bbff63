"""Mirror GitLab milestones into the knowledge graph, all-or-nothing per milestone."""
from contextlib import ExitStack, contextmanager, suppress


class RollbackError(Exception):
    pass


depth = 0


@contextmanager
def section(title):
    global depth
    print("  " * depth + f"▶ {title}")
    depth += 1
    try:
        yield lambda msg: print("  " * depth + f"· {msg}")
    except Exception as e:
        print("  " * depth + f"✗ {e}")
        raise
    else:
        print("  " * depth + "✓ done")
    finally:
        depth -= 1


class Transaction:
    """Collects undo callbacks, runs them in reverse when the block fails."""

    def __init__(self, log):
        self.log = log
        self.undo = []
        self.committed = False

    def __enter__(self):
        return self

    def on_rollback(self, fn, *args, **kwargs):
        self.undo.append((fn, args, kwargs))

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            self.committed = True
            return False
        for fn, args, kwargs in reversed(self.undo):
            self.log(f"undo: {fn(*args, **kwargs)}")
        if issubclass(exc_type, AssertionError):
            return False
        raise RollbackError(f"rolled back {len(self.undo)} step(s): {exc}") from exc


def mirror(milestone, known):
    number = int(milestone["title"].lstrip("v"))
    name = f"release-{number}"
    with section(f"milestone {milestone['title']}") as log:
        if name in known:
            log("already known, adding progress")
            issues = gitlab_zereight.get_milestone_issue(project_id="9", milestone_id=milestone["id"])
            closed = sum(i["state"] == "closed" for i in issues)
            server_memory.add_observations(observations=[{"entityName": name, "contents": [f"{closed}/{len(issues)} closed"]}])
            return "updated"
        with Transaction(log) as tx:
            created = server_memory.create_entities(entities=[
                {"name": name, "entityType": "release", "observations": [f"from milestone {milestone['title']}"]},
            ])
            tx.on_rollback(server_memory.delete_entities, entityNames=[e["name"] for e in created])
            issues = gitlab_zereight.get_milestone_issue(project_id="9", milestone_id=milestone["id"])
            log(f"{len(issues)} issues")
            server_memory.create_relations(relations=[
                {"from": name, "to": f"release-{number - 1}", "relationType": "follows"},
            ])
            if not issues:
                raise ValueError("milestone is empty")
        return "created" if tx.committed else "?"


def main():
    outcome, failures = {}, {}
    graph = server_memory.read_graph()
    known = {e["name"] for e in graph["entities"]}
    milestones = gitlab_zereight.list_milestones(project_id="9", state="active")

    with ExitStack() as stack:
        log = stack.enter_context(section("sync"))
        stack.callback(lambda: print("  (closing sync)"))
        for m in sorted(milestones, key=lambda m: (m["due_date"] is None, m["due_date"])):
            try:
                outcome[m["title"]] = mirror(m, known)
            except RollbackError as e:
                failures[m["title"]] = [str(e), type(e.__cause__).__name__, str(e.__cause__)]
                log(f"continuing after {m['title']}")
            else:
                known.add(m["title"].replace("v", "release-"))

    with suppress(KeyError, ZeroDivisionError):
        print("ratio", len(failures) / len(outcome))
        print(outcome["v99"])
        print("never printed")

    return {"outcome": outcome, "failures": failures, "known": sorted(known)}


if __name__ == "__main__":
    result = main()
