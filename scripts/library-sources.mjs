// The modules of Python's library that are compiled from CPython's own sources, as `pyodide` ships them. The parts of a
// module that need an operating system are cut out of its text here. The build fails if a cut no longer matches.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'

const packageFolder = path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))

/**
 * The modules in the order of their imports. For each: its source files (by default the one with its name), the
 * functions, classes and passages that alone are kept, the functions, classes and methods that are cut out, and the
 * lines that are replaced. A module of which only a part is kept begins with the file of its name in library/, which
 * holds what CPython has in C or in other modules. If the prelude has a module of that name, the kept parts are added
 * to it.
 */
const modules = {
  textwrap: {},
  argparse: {
    cut: ['FileType', '_read_args_from_files'],
    replaced: [
      [
        'from gettext import gettext as _, ngettext\n',
        'def _(message):\n    return message\n\ndef ngettext(one, many, n):\n    return one if n == 1 else many\n',
      ],
      ["    'FileType',\n", ''],
      [/ {8}if type_func is FileType:\n.*\n.*\n/, ''],
      [/ {12}import shutil\n.*\n/, '            width = 80\n'],
      [/ {8}if self\.fromfile_prefix_chars is not None:\n.*\n/, ''],
    ],
  },
  bisect: {},
  colorsys: {},
  configparser: {
    replaced: [
      ['__all__ = [', '__all__ = ["Error", '],
      // Reading files does nothing, since there are none.
      [
        / {4}def read\([\s\S]*?(?= {4}def read_file)/,
        '    def read(self, filenames, encoding=None):\n        return []\n\n',
      ],
    ],
  },
  http: {
    files: ['http/__init__.py'],
    replaced: [
      [', _simple_enum', ''],
      ['@_simple_enum(IntEnum)\nclass HTTPStatus:', 'class HTTPStatus(IntEnum):'],
      ['@_simple_enum(StrEnum)\nclass HTTPMethod:', 'class HTTPMethod(StrEnum):'],
    ],
  },
  ipaddress: {},
  keyword: {},
  sched: { replaced: [[/^Event\.\w+\.__doc__ = \('''[\s\S]*?'''\)$/gm, '']] },
  csv: { kept: ['Sniffer'] },
  string: { kept: ['Formatter'], replaced: [['_string.', '']] },
  inspect: {
    kept: [
      ...['_getmembers', 'getmembers', 'getdoc', 'cleandoc', 'getfullargspec', 'formatannotation'],
      ...['formatannotationrelativeto', '_signature_bound_method'],
      /^class _void:[\s\S]*?(?=^def _main)/m,
      ...['_missing_arguments', '_too_many', 'getcallargs'],
    ],
    replaced: [
      [/^ {8}try:\n {12}for base in object\.__bases__:[\s\S]*?pass\n/m, ''],
      ["getattr(annotation, '__module__', None) == 'typing'", "repr(annotation).startswith('typing.')"],
    ],
  },
  statistics: { kept: ['_normal_dist_inv_cdf', 'NormalDist'] },
  difflib: {
    kept: [
      ...['Differ', 'IS_LINE_JUNK', 'IS_CHARACTER_JUNK', '_keep_original_ws', '_format_range_unified', 'unified_diff'],
      ...['_format_range_context', 'context_diff', '_check_types', 'ndiff', 'restore'],
    ],
  },
  tomllib: {
    files: ['tomllib/_re.py', 'tomllib/_parser.py', 'tomllib/__init__.py'],
  },
}

/** The modules for mail, which have an image of their own. Each file can use all definitions of the others. */
const mailModules = {
  quopri: {
    cut: ['main'],
    replaced: [
      [/^try:\n.*\nexcept ImportError:\n/m, ''],
      [/^ {4}(a2b_qp = None\n) {4}(b2a_qp = None\n)/m, 'a2b_qp = b2a_qp = None\n'],
    ],
  },
  'email.errors': {},
  'email.base64mime': {},
  'email.quoprimime': {},
  'email.encoders': {},
  'email.charset': {},
  'email.header': {},
  'email._encoded_words': {
    // Patterns match text only.
    replaced: [
      [
        /^_q_byte_subber = .*\n.*\n/m,
        `def _q_byte_subber(b):
    plain = re.sub('=([a-fA-F0-9]{2})', lambda m: chr(int(m.group(1), 16)), b.decode('latin-1'))
    return plain.encode('latin-1')
`,
      ],
    ],
  },
  'email._parseaddr': {},
  'email.utils': {
    cut: ['make_msgid'],
    replaced: [[/^import socket\n/m, '']],
  },
  'email._policybase': { cut: ['_extend_docstrings'], replaced: [['@_extend_docstrings\n', '']] },
  'email.iterators': {},
  'email._header_value_parser': {},
  'email.headerregistry': {
    // Classes are created by class statements only.
    replaced: [
      [
        "return type('_'+cls.__name__, (cls, self.base_class), {})",
        `if cls not in self.made:
            class _Header(cls, self.base_class):
                pass
            self.made[cls] = _Header
        return self.made[cls]`,
      ],
      ['self.registry = {}\n', 'self.registry = {}\n        self.made = {}\n'],
    ],
  },
  'email.generator': {
    // The boundary depends on the text, because programs are deterministic.
    replaced: [
      ['import random\n', 'import hashlib\n'],
      [
        'random.randrange(sys.maxsize)',
        "int(hashlib.sha256((text or '').encode('utf-8', 'replace')).hexdigest()[:15], 16)",
      ],
    ],
  },
  // It is evaluated before the module of its default policy.
  'email.message': {
    cut: ['_decode_uu'],
    replaced: [
      ['return _decode_uu(bpayload)', 'return bpayload'],
      [/^ *from email\.policy import default\n/m, ''],
      ['policy = default', 'policy = Policy.usual'],
    ],
  },
  'email.contentmanager': {
    replaced: [
      [/^ *elif cte == 'quoted-printable':\n {8}# XXX[\s\S]*?(?= {4}elif cte == '7bit')/m, ''],
      [', memoryview', ''],
    ],
  },
  'email.policy': {
    replaced: [
      ['@_extend_docstrings\n', ''],
      [', _extend_docstrings', ''],
      [/$/, '\nPolicy.usual = default\n'],
    ],
  },
  'email.feedparser': {},
  'email.parser': {
    replaced: [
      [', TextIOWrapper', ''],
      [
        /^ {8}fp = TextIOWrapper[\s\S]*?fp\.detach\(\)\n/m,
        "        return self.parser.parsestr(fp.read().decode('ascii', 'surrogateescape'), headersonly)\n",
      ],
    ],
  },
  'email.mime.base': {},
  'email.mime.nonmultipart': {},
  'email.mime.multipart': {},
  'email.mime.application': {},
  'email.mime.audio': {},
  'email.mime.image': {},
  'email.mime.message': {},
  'email.mime.text': {},
  email: { files: ['email/__init__.py'] },
}

/** The modules of each guest image that the images before it lack: names and source texts. */
export function librarySources() {
  const archive = unzip(readFileSync(path.join(packageFolder, 'python_stdlib.zip')))
  const sources = (all) => Object.entries(all).map(([name, made]) => [name, sourceOf(name, made, archive)])
  return { library: sources(modules), mail: sources(mailModules) }
}

function sourceOf(name, { files = [`${name.replaceAll('.', '/')}.py`], kept, cut = [], replaced = [] }, archive) {
  let source = files.map((file) => ownText(archive(file))).join('\n')
  if (kept !== undefined) source = [ownHead(name), ...kept.map((one) => definitionOf(source, one, name))].join('\n')
  for (const one of cut)
    source = replace(source, new RegExp(`^( *)(?:def|class) ${one}\\b.*\\n(?:(?:\\1 +.*)?\\n)*`, 'gm'), '', name)
  for (const [one, other] of replaced) source = replace(source, one, other, name)
  // The modules of a package can use all definitions of each other.
  return name.includes('.') ? source.replace(/^__all__ = (?:\[[^\]]*\]|\([^)]*\))\n/m, '') : source
}

function ownHead(name) {
  return readFileSync(path.join(import.meta.dirname, 'library', `${name}.py`), 'utf8')
}

/** A function or class of a module, with its decorators; or the match of a pattern. */
function definitionOf(text, one, name) {
  const found = text.match(
    one instanceof RegExp ? one : new RegExp(`^(?:@.*\\n)*(?:def|class) ${one}\\b.*\\n(?:(?:[ )].*)?\\n)*`, 'm'),
  )
  if (found === null) throw new Error(`${name}: there is no ${one}`)
  return found[0]
}

function replace(text, one, other, name) {
  const replaced = typeof one === 'string' ? text.replaceAll(one, () => other) : text.replace(one, () => other)
  if (replaced === text) throw new Error(`${name}: there is no ${one}`)
  return replaced
}

/** A file without its part for the command line and without imports of its neighbours. */
function ownText(text) {
  return text
    .replace(/^if __name__ == ['"]__main__['"]:\n[\s\S]*$/m, '')
    .replace(/^from (?:__future__|\.\w*) import (?:\([^)]*\)|.*)$/gm, '')
}

/** A function that gives the text of a file in a ZIP archive. */
function unzip(bytes) {
  const entries = new Map()
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const [method, size, start] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]
    entries.set(name, { method, size, start })
    at += 46 + nameLength + extraLength + commentLength
  }
  return (file) => {
    const { method, size, start } = entries.get(file)
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const stored = bytes.subarray(from, from + size)
    return (method === 0 ? stored : inflateRawSync(stored)).toString('utf8')
  }
}
