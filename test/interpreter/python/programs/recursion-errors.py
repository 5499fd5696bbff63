# what is nested too deeply
import sys

def endless(n):
    return endless(n + 1)

def factorial(n):
    if n == 0:
        return 1
    return n * factorial(n - 1)

def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

class Node:
    def __init__(self, value):
        self.value = value
    def follow(self, n):
        return self.follow(n + 1)
    @property
    def itself(self):
        return self.itself
    def __getattr__(self, name):
        return getattr(self, name + "x")
    def __getitem__(self, i):
        return self[i]
    def __add__(self, other):
        return self + other

def nesting(x):
    return max([nesting(i) for i in x], default=0) + 1

nested = []
for _ in range(2000):
    nested = [nested]
node = Node(1)
for attempt in (
    lambda: endless(0),
    lambda: factorial(5000),
    lambda: even(100000),
    lambda: node.follow(0),
    lambda: node.itself,
    lambda: node.other,
    lambda: node[0],
    lambda: node + 1,
    lambda: nesting(nested),
):
    try:
        attempt()
    except RecursionError as e:
        print(type(e).__name__, str(e)[:32], isinstance(e, RuntimeError))
print(factorial(500) == factorial(499) * 500, sys.getrecursionlimit())
sys.setrecursionlimit(1600)
print(sys.getrecursionlimit(), factorial(1200) > 0)
try:
    try:
        endless(0)
    finally:
        print("finally")
except RuntimeError as e:
    print(type(e).__name__)
