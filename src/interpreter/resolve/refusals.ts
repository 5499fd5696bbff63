// Names that programs may not use, each with the reason and the replacement.

import { noClock, noFiles, noKeptValues, noNetwork, noProcess, noRandom, type Refusal } from '../refusals.js'

const noTimeOfDay: Refusal = {
  reason: 'programs do not know the time of day',
  instead: 'measure with time.perf_counter(), or take the time from a tool (a person may set codeMode.clock to "run")',
  unless: 'clock',
}
const never = { reason: noRandom.reason, instead: 'number what needs an id, or choose by a hash of the data' }
const noEval: Refusal = {
  reason: 'programs cannot run text as code',
  instead: 'write the code itself, or parse data with json.loads',
}
const noGroups: Refusal = {
  reason: 'exceptions come one at a time',
  instead: 'collect them in a list, then raise the first',
}

/** Python builtins, and names in pre-bound modules, that do not exist here. */
export const refusedNames: Readonly<Record<string, Refusal>> = {
  open: noFiles,
  input: { reason: 'programs have no input', instead: 'put the value into the program' },
  eval: noEval,
  exec: noEval,
  compile: noEval,
  globals: { reason: 'programs cannot look at their own names', instead: 'keep values in a dict' },
  locals: { reason: 'programs cannot look at their own names', instead: 'keep values in a dict' },
  vars: { reason: 'programs cannot look at their own names', instead: 'keep values in a dict' },
  __import__: { reason: 'imports load nothing', instead: 'use the pre-bound modules, or a tool' },
  breakpoint: { reason: 'there is no debugger', instead: 'print the values' },
  id: { reason: 'identities differ from run to run', instead: 'compare with `is`' },
  complex: { reason: 'complex numbers are not part of this dialect', instead: 'use two floats' },
  ExceptionGroup: noGroups,
  BaseExceptionGroup: noGroups,
  memory: noKeptValues,
  memoryview: { reason: 'there are no buffers', instead: 'use bytes or bytearray, and slices' },
}

/**
 * Functions that read the time of day unless a call gives them a moment, with the number of arguments of such a call.
 */
export const needsMoment: Readonly<Record<string, number>> = {
  'time.localtime': 1,
  'time.gmtime': 1,
  'time.ctime': 1,
  'time.asctime': 1,
  'time.strftime': 2,
  'email.utils.formatdate': 1,
}

/**
 * Members of modules and of their classes that programs can't use, by whole path; `*` stands for all members of a
 * module.
 */
export const refusedMembers: Readonly<Record<string, Refusal>> = {
  'time.time': noTimeOfDay,
  'time.time_ns': noTimeOfDay,
  'datetime.datetime.now': noClock,
  'datetime.datetime.today': noClock,
  'datetime.datetime.utcnow': noClock,
  'datetime.date.today': noClock,
  'email.utils.localtime': noClock,
  'email.utils.make_msgid': never,
  'random.SystemRandom': noRandom,
  'uuid.uuid1': never,
  'uuid.uuid4': {
    ...noRandom,
    instead:
      'compute one from a name: uuid.uuid5(uuid.NAMESPACE_URL, name) (a person may set codeMode.random to "seeded")',
  },
  'sys.stdin': { reason: 'programs have no input', instead: 'put the value into the program', unless: 'input' },
  'sys.path': noProcess,
  'sys.modules': noProcess,
  ...Object.fromEntries(
    ['listdir', 'walk', 'scandir', 'makedirs', 'mkdir', 'remove', 'rename', 'rmdir', 'stat', 'getcwd', 'chdir'].map(
      (name) => [`os.${name}`, noFiles],
    ),
  ),
  'os.urandom': noRandom,
  'secrets.*': noRandom,
  ...Object.fromEntries(
    'cwd exists glob home is_dir is_file iterdir mkdir open read_bytes read_text resolve rglob rmdir stat touch unlink write_bytes write_text'
      .split(' ')
      .map((name) => [`pathlib.Path.${name}`, noFiles]),
  ),
}

/** Pre-bound modules that contain only a small part of Python's, with the reason. */
export const refusedRest: Readonly<Record<string, Refusal>> = {
  os: noProcess,
  'os.path': noFiles,
  ast: { reason: 'programs do not read code', instead: 'read data with ast.literal_eval or json.loads' },
  traceback: { reason: 'programs cannot look at their own frames', instead: 'use repr(e)' },
}

/** Modules of Python that are not pre-bound, where the reason helps. */
export const refusedModules: Readonly<Record<string, Refusal>> = {
  os: noProcess,
  memory: noKeptValues,
  subprocess: noProcess,
  shutil: noFiles,
  glob: noFiles,
  tempfile: noFiles,
  requests: noNetwork,
  httpx: noNetwork,
  aiohttp: noNetwork,
  urllib: noNetwork,
  http: noNetwork,
  socket: noNetwork,
  smtplib: noNetwork,
  imaplib: noNetwork,
  multiprocessing: { reason: 'programs run in order', instead: 'call the tools one after another' },
  pandas: {
    reason: 'it is not part of this dialect',
    instead: 'use lists of dicts with sorted, sum and comprehensions',
  },
  numpy: { reason: 'it is not part of this dialect', instead: 'use lists with sum, min, max and comprehensions' },
  yaml: { reason: 'it is not part of this dialect', instead: 'ask the tool for JSON' },
  pickle: { reason: 'it can run code', instead: 'use json' },
  ctypes: noProcess,
  platform: noProcess,
  signal: noProcess,
  getpass: noProcess,
  gc: { reason: 'programs cannot look at their memory', instead: 'leave it out' },
  weakref: { reason: 'programs cannot look at their memory', instead: 'keep the objects themselves' },
  sqlite3: { reason: 'it is not part of this dialect', instead: 'use lists of dicts, or a tool of a database server' },
  xml: { reason: 'it is not part of this dialect', instead: 'use xml.etree.ElementTree' },
  lxml: { reason: 'it is not part of this dialect', instead: 'use xml.etree.ElementTree' },
  xmltodict: { reason: 'it is not part of this dialect', instead: 'use xml.etree.ElementTree' },
  pytz: { reason: 'it is not part of Python', instead: 'use ZoneInfo of zoneinfo' },
  dateutil: { reason: 'it is not part of this dialect', instead: 'use datetime.fromisoformat, strptime and timedelta' },
  bs4: { reason: 'it is not part of this dialect', instead: 'parse the text with re' },
  zipfile: noFiles,
  importlib: { reason: 'imports load nothing', instead: 'use the pre-bound modules' },
  codecs: { reason: 'it is not part of this dialect', instead: 'use text.encode(encoding) and data.decode(encoding)' },
  locale: { reason: 'programs have no operating system', instead: 'write f"{x:,.2f}" for thousands and decimals' },
  mimetypes: { reason: 'it is not part of this dialect', instead: 'look the ending up in a dict of your own' },
  array: { reason: 'it is not part of this dialect', instead: 'use a list' },
  gzip: { reason: 'it is not part of this dialect', instead: 'ask the tool for plain data' },
  cmath: { reason: 'complex numbers are not part of this dialect', instead: 'use two floats and math' },
  contextvars: { reason: 'programs have one thread', instead: 'use a variable, with global or nonlocal' },
  builtins: {
    reason: 'builtins need no import',
    instead: 'leave the import out, and write len for builtins.len',
  },
  tabulate: { reason: 'it is not part of this dialect', instead: 'write f"{value:<20}" for columns' },
  rich: { reason: 'it is not part of this dialect', instead: 'use print, with f"{value:<20}" for columns' },
  tqdm: { reason: 'programs show no progress', instead: 'loop over the values themselves' },
  pydantic: { reason: 'it is not part of this dialect', instead: 'use dataclasses' },
  attr: { reason: 'it is not part of this dialect', instead: 'use dataclasses' },
  attrs: { reason: 'it is not part of this dialect', instead: 'use dataclasses' },
  jmespath: { reason: 'it is not part of this dialect', instead: 'use comprehensions over the data' },
  jsonpath_ng: { reason: 'it is not part of this dialect', instead: 'use comprehensions over the data' },
  jsonschema: { reason: 'it is not part of this dialect', instead: 'test what you need with isinstance' },
}
