// The names that exist in every program, in either language and any dialect. A server with such a name would hide the
// name. A test compares this list with the guests' own.

const starlark =
  'ApprovalDenied ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError BufferError ' +
  'ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning ' +
  'EOFError Ellipsis EnvironmentError Exception False FileExistsError FileNotFoundError FloatingPointError ' +
  'FutureWarning GeneratorExit IOError ImportError IndexError InterruptedError IsADirectoryError KeyError ' +
  'KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError ' +
  'NotImplemented NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError ' +
  'RuntimeWarning StopAsyncIteration StopIteration SystemError SystemExit TimeoutError True UnboundLocalError ' +
  'UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError __name__ _functions ' +
  'abc abs all any argparse ascii ast asyncio base64 bin binascii bisect bool bytearray bytes calendar callable ' +
  'chr classmethod collections colorsys concurrent configparser contextlib copy csv dataclasses datetime ' +
  'decimal delattr dict difflib dir divmod email enum enumerate exit fail filter float fnmatch format fractions ' +
  'frozenset functools getattr graphlib hasattr hash hashlib heapq hex hmac html http inspect int io ipaddress ' +
  'isinstance issubclass iter itertools json keyword len list logging map math max mcp min next numbers object oct ' +
  'operator ord os pathlib posixpath pow pprint property queue quit quopri random range re repr reversed round ' +
  'sched secrets set setattr shlex slice sorted staticmethod statistics str string struct sum super sys ' +
  'textwrap threading time tomllib traceback tuple type types typing unicodedata urllib uuid vars warnings xml ' +
  'zip zlib zoneinfo'

const javascript =
  'AbortController AbortSignal AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean ' +
  'DataView Date Error EvalError Float16Array Float32Array Float64Array Infinity Int16Array Int32Array ' +
  'Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ' +
  'ReferenceError Reflect RegExp Set String Symbol SyntaxError TextDecoder TextEncoder ToolError TypeError ' +
  'URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet artifacts ' +
  'atob btoa ' +
  'clearImmediate clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI ' +
  'encodeURIComponent escape globalThis help isFinite isNaN parallel parseFloat parseInt performance print ' +
  'queueMicrotask results runtime setImmediate setInterval setTimeout structuredClone undefined unescape'

/** All of them, and `result`, which holds a program's result. */
export const takenNames: ReadonlySet<string> = new Set([...starlark.split(' '), ...javascript.split(' '), 'result'])
