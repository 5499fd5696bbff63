import queue
from queue import Queue, PriorityQueue, LifoQueue, Empty

# Breadth first with a Queue, best first with a PriorityQueue, depth first with a LifoQueue.
graph = {"a": [("b", 4), ("c", 1)], "b": [("d", 1)], "c": [("b", 2), ("d", 7)], "d": []}


def walk(frontier, start):
    seen, order = {start}, []
    frontier.put(start)
    while not frontier.empty():
        node = frontier.get()
        order.append(node)
        for nxt, _ in graph[node]:
            if nxt not in seen:
                seen.add(nxt)
                frontier.put(nxt)
        frontier.task_done()
    frontier.join()
    return order


def cheapest(start):
    best = {start: 0}
    pq: PriorityQueue = PriorityQueue()
    pq.put((0, start))
    while pq.qsize():
        cost, node = pq.get()
        for nxt, w in graph[node]:
            if cost + w < best.get(nxt, float("inf")):
                best[nxt] = cost + w
                pq.put((cost + w, nxt))
    return best


print(walk(Queue(), "a"), walk(LifoQueue(), "a"), cheapest("a"))
q = queue.Queue(maxsize=2)
q.put(1)
q.put_nowait(2)
print(q.full(), q.qsize(), q.maxsize if hasattr(q, "maxsize") else None)
try:
    q.put_nowait(3)
except queue.Full as e:
    print("full", repr(e), isinstance(e, Exception))
print(q.get(), q.get(timeout=0.01))
for attempt in (q.get_nowait, lambda: q.get(block=False), lambda: q.get(timeout=0.01)):
    try:
        attempt()
    except Empty as e:
        print(type(e).__name__, e.args)


class Loud(Queue):
    def put(self, item, *rest):
        print("put", item)
        super().put(item, *rest)


loud = Loud()
loud.put("x")
print(loud.get(), isinstance(loud, Queue), Queue.__name__)
try:
    loud.task_done()
    loud.task_done()
except ValueError as e:
    print(e)
