# Literals of Python in texts.
import ast
for s in ["[1, 'a', {'b': (1, 2)}]", "  {'x': None, 'y': True, 'z': -1.5e3}", "(1,)", "()", "{1, 2}", "set()", "'a' \"b\" r'\\n' '\\n\\t\\x41\\u00e9'", "b'ab\\xff\\n'", "0xff", "1_000", "12345678901234567890123", ".5", "5.", "1e400", "-  3", "+4", "[]", "{}", "[1,2,]", "{'a': [1, {'b': []}],}", "1, 2", "'''a\nb'''", "# c\n[1, # one\n 2]", "\"it's\"", "(1)", "((1, 2), 3)", "'\\\n'", "{'k': 'v'} ", "u'x'"]:
    try: print(repr(ast.literal_eval(s)))
    except Exception as e: print(s, type(e).__name__, e)
for s in ["", "foo", "[1, foo]", "f(x)", "1 + 2", "[1", "'abc", "{'a' 1}", "{1: 2, 3}", "nan", "a.b", "null", "[true]", "1 2", "'a' b'b'", "012", "__import__('os')", "x[0]", "[1][0]", "lambda: 0", "1 if 2 else 3", "-'a'", "{[]: 1}", "a b"]:
    try: print(repr(ast.literal_eval(s)))
    except Exception as e: print(s, type(e).__name__)
