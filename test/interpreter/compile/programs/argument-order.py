# Arguments that are named in another order than the parameters are evaluated where the call stands, and only if it is
# reached.
log = []


def note(x):
    log.append(x)
    return x


def pair(first, second):
    return [first, second]


def seen():
    was = log[:]
    log.clear()
    return was


chosen = 5 if log == [] else pair(second=note(1), first=note(2))
unreached = [seen(), log == [] or pair(second=note(3), first=note(4)), seen()]
between = [note(5), pair(second=note(6), first=note(7)), note(8), seen()]
compared = [note(9) < 0 < pair(second=note(10), first=note(11))[0], seen()]
rounds = []
while len(log) < 4 and pair(second=note(12), first=note(13)):
    rounds.append(len(log))
in_list = [pair(second=note(x), first=note(-x)) if x > 1 else x for x in [1, 2]]
result = [chosen, unreached, between, compared, rounds, in_list, seen()]
