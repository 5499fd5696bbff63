def f():
    out = []
    for i in range(12):
        out.append("a" + str(i).replace("1", "x") + str(i) + "b" + str(i * 2)[0] + "%d%s" % (i, str(i).upper()))
        out.append("{}{}".format(i, str(i).rjust(3)) + str(i)[-1] + (str(i) + "z"))
    return out
def g():
    return [s.strip("ab") for s in ["abba", "xab", "abx", "", "a", "yy"]], "..x..".strip("."), "..x..".lstrip("."), "..x..".rstrip(".x")
def h():
    out = []
    for s in ["0", "7", "10", "100", "900", "9e2", "1e2", " 12", "12 ", "-5", "+5", "007", "1_000", "0x10", "5.e3", "1e03", "123456789", "1234567890", "99999999999", "", "abc", "1.0", "2147483648", "120", "101"]:
        try:
            out.append(int(s))
        except ValueError as e:
            out.append(str(e))
    return out
result = [f(), g(), h()]
