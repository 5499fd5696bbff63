# what an exception came from
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("second")
except ValueError as e:
    print(e, repr(e.__context__), e.__cause__, e.__suppress_context__)
try:
    try: {}["a"]
    except KeyError as k: raise RuntimeError("x") from k
except RuntimeError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
try:
    try: {}["a"]
    except KeyError as k: raise RuntimeError("x") from None
except RuntimeError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
try:
    try: {}["a"]
    except KeyError: int("z")
except ValueError as e:
    print(repr(e.__context__))
try:
    try: 1/0
    finally: [][1]
except IndexError as e:
    print(repr(e.__context__))
e=ValueError("q"); print(e.__context__, e.__cause__, e.__traceback__)
def again(): raise
try:
    try: 1/0
    except ZeroDivisionError: again()
except Exception as e: print(type(e).__name__, e)
try: again()
except RuntimeError as e: print(e)
def chain(e):
    out=[]
    while e is not None:
        out.append(f"{type(e).__name__}: {e}")
        e = e.__cause__ or e.__context__
    return out
class AppError(Exception): pass
def low(): raise OSError("disk")
def mid():
    try: low()
    except OSError as e: raise AppError("mid") from e
try:
    try: mid()
    except AppError: raise RuntimeError("top")
except RuntimeError as e: print(chain(e))
import sys
print(sys.exc_info())
try: 1/0
except ZeroDivisionError: print(sys.exc_info()[0].__name__, sys.exc_info()[1])
print(sys.exc_info())
for i in range(2):
    try: 1/0
    except ZeroDivisionError: continue
print(sys.exc_info())
def g():
    try: 1/0
    except ZeroDivisionError: return 1
g(); print(sys.exc_info())
e = ValueError("n"); e.add_note("hint"); print(e.__notes__)
import traceback
print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
try: raise AppError("bad")
except AppError: t=traceback.format_exc(); print(t.splitlines()[0], t.splitlines()[-1].replace("__main__.",""))
traceback.print_exc()
try: raise e.with_traceback(None)
except ValueError as x: print(x is e)
try:
    try: 1/0
    except Exception as x: raise ValueError from x
except ValueError as y: print(repr(y), repr(y.__cause__))
