# deadlines and timers
import time
start = time.monotonic()
deadline = start + 1
polls = 0
while time.monotonic() < deadline:
    polls += 1
    time.sleep(0.1)
print("polls", polls)
begun = time.perf_counter()
time.sleep(2.5)
elapsed = time.perf_counter() - begun
print(f"{elapsed:.1f}", elapsed >= 2.5, elapsed > 0)
before = time.process_time()
time.sleep(5)
print(round(time.process_time() - before, 2))
print(type(time.monotonic()), type(time.perf_counter_ns()), time.monotonic_ns() > 0)
first, second = time.perf_counter(), time.perf_counter()
print(second > first, 100 / (second - first) > 0)
for bad in (-1, "x", float("nan")):
    try:
        time.sleep(bad)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e)

# --- a timing decorator
import time
from functools import wraps

def timed(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return f(*args, **kwargs)
        finally:
            print(f"{f.__name__} took {time.perf_counter() - start:.2f}s")
    return wrapper

@timed
def slow(n):
    time.sleep(n)
    return n * 2

print(slow(1.5))

# --- a rate limiter, retries that wait longer, a cache that forgets
import time

class RateLimiter:
    def __init__(self, per_second):
        self.interval = 1 / per_second
        self.last = 0.0
    def wait(self):
        now = time.monotonic()
        rest = self.interval - (now - self.last)
        if rest > 0:
            print(f"waiting {rest:.1f}")
            time.sleep(rest)
        self.last = time.monotonic()

limiter = RateLimiter(2)
start = time.monotonic()
for i in range(3):
    limiter.wait()
print(f"{time.monotonic() - start:.1f}")

class Cache:
    def __init__(self, ttl):
        self.ttl, self.held = ttl, {}
    def get(self, key, make):
        now = time.monotonic()
        if key in self.held and now - self.held[key][0] < self.ttl:
            return self.held[key][1], "cached"
        value = make()
        self.held[key] = (now, value)
        return value, "made"

cache = Cache(ttl=1)
print(cache.get("a", lambda: 1))
time.sleep(0.5)
print(cache.get("a", lambda: 2))
time.sleep(0.6)
print(cache.get("a", lambda: 3))

class TokenBucket:
    def __init__(self, rate, capacity):
        self.rate, self.capacity = rate, capacity
        self.tokens, self.at = capacity, time.monotonic()
    def take(self):
        now = time.monotonic()
        self.tokens = min(self.capacity, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return True
        return False

bucket = TokenBucket(rate=10, capacity=2)
print([bucket.take() for _ in range(3)])
time.sleep(0.1)
print([bucket.take() for _ in range(2)])

# --- moments that are given
import time
print(time.gmtime(0))
print(time.strftime("%H:%M:%S", time.gmtime(3725)), time.strftime("%Y-%m-%d", time.gmtime(1700000000)))
parsed = time.strptime("2024-02-29 13:05:09", "%Y-%m-%d %H:%M:%S")
print(parsed.tm_year, parsed.tm_mon, parsed.tm_yday, parsed.tm_wday, parsed.tm_isdst, time.mktime(parsed))
print(time.asctime(time.gmtime(86400)), time.ctime(10**9), time.mktime((2024, 14, 30, 12, 0, 0, 0, 0, 0)))

# --- sleeping in order
import asyncio
import time

async def step(name, delay):
    start = time.perf_counter()
    await asyncio.sleep(delay)
    print(name, round(time.perf_counter() - start, 2))
    return name

async def main():
    start = time.perf_counter()
    print(await asyncio.gather(step("a", 0.3), step("b", 0.1), step("c", 0.2)))
    print(f"{time.perf_counter() - start:.1f}")
    try:
        async with asyncio.timeout(0.05):
            await asyncio.sleep(1)
    except TimeoutError:
        print("too late")
    async with asyncio.timeout(5) as limit:
        await asyncio.sleep(0.1)
    print(limit.expired())
    try:
        await asyncio.wait_for(asyncio.sleep(1), 0.05)
    except asyncio.TimeoutError:
        print("too late again")
    print(f"{time.perf_counter() - start:.1f}")
    loop = asyncio.get_running_loop()
    at = loop.time()
    time.sleep(1)
    await asyncio.sleep(0.5)
    print(f"{loop.time() - at:.1f}")

asyncio.run(main())

# --- what is cancelled can tidy up
import asyncio

async def worker():
    try:
        print("started")
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        print("cancelled")
        raise
    finally:
        print("tidied up")

async def stubborn():
    try:
        await asyncio.sleep(5)
    except asyncio.CancelledError:
        return "kept"

async def main():
    task = asyncio.create_task(worker())
    await asyncio.sleep(0.1)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print(task.cancelled(), task.done())
    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    task.cancel()
    print(await task)
    print(await asyncio.wait_for(stubborn(), 1))
    tasks = [asyncio.create_task(asyncio.sleep(i, i)) for i in (1, 2, 3)]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    print(sorted(t.result() for t in done), len(pending))
    for task in pending:
        task.cancel()
    print([type(x).__name__ for x in await asyncio.gather(*pending, return_exceptions=True)])
    done, pending = await asyncio.wait([asyncio.create_task(asyncio.sleep(i)) for i in (1, 5)], timeout=2)
    print(len(done), len(pending))

asyncio.run(main())

# --- threads beside the program
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

def work(n):
    time.sleep(n / 10)
    return n

start = time.perf_counter()
with ThreadPoolExecutor(max_workers=3) as pool:
    futures = {pool.submit(work, n): n for n in (3, 1, 2)}
    print([f.result() for f in as_completed(futures)])
print(f"{time.perf_counter() - start:.1f}")
start = time.perf_counter()
with ThreadPoolExecutor(max_workers=2) as pool:
    print(list(pool.map(work, [1, 1, 1, 1])))
print(f"{time.perf_counter() - start:.1f}")
threads = [threading.Thread(target=work, args=(2,)) for _ in range(4)]
start = time.perf_counter()
for t in threads:
    t.start()
for t in threads:
    t.join()
print(f"{time.perf_counter() - start:.1f}")
stop = threading.Event()
start = time.monotonic()
print(stop.wait(0.5), f"{time.monotonic() - start:.1f}")
