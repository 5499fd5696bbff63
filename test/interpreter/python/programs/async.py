# run and gather
import asyncio
async def fetch(n, delay):
    print("start", n)
    await asyncio.sleep(delay)
    print("end", n)
    return {"id": n, "delay": delay}
async def main():
    results = await asyncio.gather(fetch(1, 0.3), fetch(2, 0.1), fetch(3, 0.2))
    for r in results:
        print(r)
    return len(results)
print(asyncio.run(main()))
# --- tasks
import asyncio
async def work(n):
    for i in range(2):
        print(n, i)
        await asyncio.sleep(0)
    return n
async def main():
    t1 = asyncio.create_task(work("a"))
    t2 = asyncio.create_task(work("b"))
    print("created", t1.done())
    print(await t1, await t2, t1.done(), t2.result())
asyncio.run(main())
# --- exceptions
import asyncio
async def bad(n):
    await asyncio.sleep(0.01)
    raise ValueError(f"bad {n}")
async def good():
    return "good"
async def main():
    try:
        await bad(1)
    except ValueError as e:
        print("caught", e)
    rs = await asyncio.gather(bad(2), good(), return_exceptions=True)
    print([repr(r) for r in rs])
    try:
        await asyncio.gather(good(), bad(3))
    except ValueError as e:
        print("gather", e)
asyncio.run(main())
# --- semaphore, lock, event
import asyncio
async def limited(sem, n, log):
    async with sem:
        log.append(f"in {n}")
        await asyncio.sleep(0.1)
        log.append(f"out {n}")
async def waiter(ev):
    await ev.wait()
    print("event set")
async def main():
    log = []
    sem = asyncio.Semaphore(2)
    await asyncio.gather(*(limited(sem, i, log) for i in range(4)))
    print(log)
    ev = asyncio.Event()
    t = asyncio.create_task(waiter(ev))
    await asyncio.sleep(0.1)
    ev.set()
    await t
    lock = asyncio.Lock()
    async with lock:
        print("locked", lock.locked())
asyncio.run(main())
# --- queue producer consumer
import asyncio
async def producer(q):
    for i in range(3):
        await q.put(i)
        await asyncio.sleep(0.01)
    await q.put(None)
async def consumer(q):
    total = 0
    while True:
        item = await q.get()
        if item is None: break
        total += item
        print("got", item)
    return total
async def main():
    q = asyncio.Queue()
    _, total = await asyncio.gather(producer(q), consumer(q))
    print(total)
asyncio.run(main())
# --- async generators and comprehensions
import asyncio
async def ticker(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)
class Resource:
    async def __aenter__(self):
        print("open")
        return self
    async def __aexit__(self, t, v, tb):
        print("close", t.__name__ if t else None)
        return True
class Pages:
    def __init__(self, n): self.n, self.i = n, 0
    def __aiter__(self): return self
    async def __anext__(self):
        if self.i >= self.n: raise StopAsyncIteration
        self.i += 1
        return self.i
async def main():
    async for t in ticker(2):
        print(t)
    print([t * 2 async for t in ticker(3)])
    async with Resource() as r:
        print("using", type(r).__name__)
        raise RuntimeError("x")
    async for p in Pages(2):
        print("page", p)
asyncio.run(main())
# --- wait_for, as_completed, helpers
import asyncio
async def slow(n):
    await asyncio.sleep(n)
    return n
async def main():
    try:
        await asyncio.wait_for(slow(5), timeout=0.1)
    except asyncio.TimeoutError:
        print("timed out")
    print(await asyncio.wait_for(slow(0.1), timeout=1))
    for c in asyncio.as_completed([slow(0.3), slow(0.1), slow(0.2)]):
        print(await c)
    done, pending = await asyncio.wait([asyncio.create_task(slow(0.1)), asyncio.create_task(slow(0.2))])
    print(sorted(t.result() for t in done), len(pending))
    print(await asyncio.to_thread(lambda a, b: a + b, 1, b=2))
asyncio.run(main())
# --- retries with backoff
import asyncio
attempts = 0
async def flaky():
    global attempts
    attempts += 1
    if attempts < 3:
        raise ConnectionError(f"attempt {attempts}")
    return "ok"
async def retry(fn, tries, delay=0.1):
    for i in range(tries):
        try:
            return await fn()
        except ConnectionError as e:
            print("retrying after", e)
            await asyncio.sleep(delay * 2 ** i)
    raise RuntimeError("gave up")
async def main():
    print(await retry(flaky, 5))
loop = asyncio.get_event_loop() if False else None
asyncio.run(main())
# --- task group and nested coroutines
import asyncio
async def child(n, out):
    await asyncio.sleep(0.1 * (3 - n))
    out.append(n)
async def main():
    out = []
    async with asyncio.TaskGroup() as tg:
        for i in range(3):
            tg.create_task(child(i, out))
    print(out)
    async def inner(x): return x + 1
    print(await inner(await inner(1)), [await inner(i) for i in range(3)], sum([await inner(1), await inner(2)]))
asyncio.run(main())
# --- thread pool
from concurrent.futures import ThreadPoolExecutor, as_completed
def load(n):
    if n == 2:
        raise ValueError("no 2")
    return n * n
with ThreadPoolExecutor(max_workers=3) as pool:
    print(list(pool.map(lambda x: x + 1, [1, 2, 3])))
    futures = {pool.submit(load, n): n for n in range(4)}
    out = {}
    for fut in as_completed(futures):
        n = futures[fut]
        try:
            out[n] = fut.result()
        except ValueError as e:
            out[n] = f"error: {e}"
print(dict(sorted(out.items())))
f = ThreadPoolExecutor().submit(load, 2)
print(repr(f.exception()), f.done())
# --- contextlib
from contextlib import contextmanager, suppress, ExitStack, closing, nullcontext
@contextmanager
def timer(label):
    print("start", label)
    try:
        yield {"label": label}
    except KeyError as e:
        print("swallowed", e)
    finally:
        print("stop", label)
with timer("t") as t:
    print(t)
with timer("u"):
    {}["missing"]
with suppress(ZeroDivisionError, KeyError):
    1 / 0
with ExitStack() as stack:
    for n in "ab":
        stack.enter_context(timer(n))
    stack.callback(print, "callback")
    print("body")
class C:
    def close(self): print("closed")
with closing(C()) as c, nullcontext(5) as five:
    print(five)
try:
    with timer("v"):
        raise ValueError("through")
except ValueError as e:
    print("outer", e)
