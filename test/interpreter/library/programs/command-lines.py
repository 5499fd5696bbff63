# Programs that are written like commands: arguments with defaults, statuses, places in sorted lists.
import argparse
p = argparse.ArgumentParser(prog="sync", description="Sync issues")
p.add_argument("--repo", default="acme/web", help="repository")
p.add_argument("-n", "--limit", type=int, default=20)
p.add_argument("--dry-run", action="store_true")
p.add_argument("words", nargs="*")
args = p.parse_args()
print(args.repo, args.limit, args.dry_run, args.words, args)
print(p.parse_args(["--limit", "5", "x", "y", "--dry-run"]))
p.print_help()
print(vars(args))
sub = argparse.ArgumentParser(prog="t")
s = sub.add_subparsers(dest="cmd", required=True)
a = s.add_parser("add", help="adds"); a.add_argument("x", type=int); a.set_defaults(f=lambda ns: ns.x + 1)
ns = sub.parse_args(["add", "41"])
print(ns.f(ns), ns.cmd)
strict = argparse.ArgumentParser(prog="strict", exit_on_error=False)
strict.add_argument("--limit", type=int)
try:
    strict.parse_args(["--limit", "x"])
except argparse.ArgumentError as e:
    print(e)
import bisect
xs = [1, 3, 5]
bisect.insort(xs, 4); print(xs, bisect.bisect(xs, 3), bisect.bisect_left(xs, 3), bisect.bisect_right([{"a": 1}], 1, key=lambda r: r["a"]))
import sched, time
order = []
s = sched.scheduler(time.monotonic, time.sleep)
s.enter(0.02, 1, order.append, ("later",))
s.enter(0.01, 1, order.append, argument=("sooner",))
s.run()
print(order, s.empty())
