# numbers and choices
import random
for seed in (42, 0, -7, 2**70, 1.5, "hello", b"bytes", True):
    random.seed(seed)
    print(random.random(), random.randint(1, 100), random.randrange(0, 1000, 7), random.choice("abcdef"))
    print(random.getrandbits(7), random.getrandbits(100), random.randbytes(5))
    numbers = list(range(20))
    random.shuffle(numbers)
    print(numbers)
    print(random.sample(range(1000), 10), random.sample(numbers, 3), random.sample(list(range(100)), 30))
    print(random.choices([1, 2, 3], k=5), random.choices("abc", weights=[1, 5, 2], k=8))
    print(random.choices("xyz", cum_weights=[1, 2, 10], k=3), random.uniform(1, 10), random.uniform(-1.5, 2))

# --- distributions
import random
rng = random.Random(2024)
shown = [rng.gauss(0, 1), rng.gauss(10, 2.5), rng.gauss(), rng.normalvariate(0, 1), rng.lognormvariate(0, 0.5)]
shown += [rng.expovariate(0.2), rng.triangular(0, 10, 3), rng.triangular(), rng.betavariate(2, 3)]
shown += [rng.gammavariate(2, 1), rng.gammavariate(0.5, 2), rng.gammavariate(1, 3), rng.paretovariate(3)]
shown += [rng.weibullvariate(1, 1.5), rng.vonmisesvariate(1, 4), rng.vonmisesvariate(0, 0)]
print([round(x, 12) for x in shown])

# --- states, generators of one's own, what can't be drawn
import random
r = random.Random(123)
state = r.getstate()
drawn = [r.random() for _ in range(3)]
r.setstate(state)
print(drawn == [r.random() for _ in range(3)], drawn)
print(r.sample(["a", "b", "c"], counts=[3, 2, 5], k=4))
print(r.randint(2**40, 2**60), r.randint(0, 2**53), r.randrange(2**31), r.randrange(2**32), r.randrange(10, 0, -3))
for draw in (
    lambda: r.choice([]),
    lambda: r.sample([1], 2),
    lambda: r.sample({1, 2}, 1),
    lambda: r.randint(5, 1),
    lambda: r.choices([1], [0]),
    lambda: r.choices([1, 2], [1]),
    lambda: r.choices([1, 2], 3),
    lambda: r.randrange(0),
    lambda: r.randrange(1, 10, 0),
    lambda: r.seed([1]),
):
    try:
        print(draw())
    except Exception as e:
        print(type(e).__name__, e)
print(isinstance(r, random.Random), type(r).__name__, random.Random)

class Dice:
    def __init__(self, sides, seed):
        self.sides = sides
        self.rng = random.Random(seed)
    def roll(self):
        return self.rng.randint(1, self.sides)

print([Dice(6, 7).roll() for _ in range(3)], [d.roll() for d in [Dice(20, 3)] * 5])

# --- names that are imported
from random import randint, seed, shuffle
seed(10)
cards = [f"{rank}{suit}" for suit in "SH" for rank in "A23"]
shuffle(cards)
print([randint(1, 6) for _ in range(5)], cards)
