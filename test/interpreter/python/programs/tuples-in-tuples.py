# tuples that are nested deeper with each turn of a loop
node = None
for i in range(3):
    node = (i, node)
print(node)
x = 1
for i in range(4):
    x = (x, x)
print(x)
tree = None
for i in range(3):
    tree = (tree, i, tree)
print(tree)
word = ("", None)
for i in range(4):
    word = ("x" + word[0][:1], word)
print(word)
# --- a stack of tuples
def push(stack, value):
    return (value, stack)

def items(stack):
    out = []
    while stack is not None:
        value, stack = stack
        out.append(value)
    return out

stack = None
for i in range(5):
    stack = push(stack, i * i)
print(stack, items(stack))

# Reversed in place of recursion: both variables change in each turn.
turned = None
while stack:
    (head, stack), turned = stack, (stack[0], turned)
print(turned, sum(items(turned)))
print(turned[0] + 1, turned[1][0] + 1, turned[1][1][0] + 1, turned[1][1][1][0] + 1, turned[1][1][1][1][0] + 1)
try:
    print(turned[1][1][1][1][1][0])
except TypeError as e:
    print(e)
# --- a search tree of tuples
def insert(tree, key):
    if tree is None:
        return (None, key, None)
    left, here, right = tree
    if key < here:
        return (insert(left, key), here, right)
    return (left, here, insert(right, key))

def walk(tree):
    if tree is not None:
        yield from walk(tree[0])
        yield tree[1]
        yield from walk(tree[2])

tree = None
for key in [5, 2, 8, 1, 9, 3]:
    tree = insert(tree, key)
print(tree)
print(list(walk(tree)))

low = tree
while low[0] is not None:
    low = low[0]
print(low)
# --- contents of several kinds and lengths, in nested loops
x = ()
for i in range(2):
    for j in range(2):
        for k in range(2):
            if k:
                x = (i, x)
            elif j:
                x = (x, [j], x)
            else:
                x = [x, {"k": (k, x)}]
print(x)
y = 1
n = 0
while len(repr(y)) < 60:
    y = (y, y, y) if n % 2 else (str(n), y)
    n += 1
print(y, n)
# --- variables that hold each other
a, b = 0, None
for i in range(4):
    a, b = (b, a), (a, i)
print(a, b)
rows = None
for i in range(3):
    pairs = [(rows, c) for c in "ab"]
    rows = (pairs[0], len(pairs))
print(rows)
t = (1,)
for i in range(3):
    t = t + (t,)
print(t)
# --- numbers beyond the known levels
deep = (1, (2, (3, (4, (5, (6, (7, None)))))))
for i in range(3):
    deep = (deep[0] * 2.5, deep)
print(deep)
d = deep
while d:
    print(d[0] + d[0], end=" ")
    d = d[1]
print()
((((((p, q), r), s), t), u), v) = ((((((2 ** 60, 2), 3), "4"), 5.0), 6), 7)
print(p * p, q + r, s + s, t / 2, u // 4, v % 4)
big = (2 ** 52, None)
for i in range(12):
    big = (big[0] * 2 + 1, big)
print(big[0], big[1][0], big[1][1][1][1][1][1][0])
