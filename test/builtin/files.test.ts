// The server `files`, from programs.

import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requiredLiteral } from '../../dist/builtin/files/search.js'
import { CodeMode } from '../../dist/index.js'
import { folderWith } from './folder.js'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const root = folderWith({
  'notes.txt': 'one\ntwo\nthree\nfour\n',
  'windows.txt': 'a = 1\r\nb = 2\r\n',
  'latin.txt': Buffer.from('caf\xe9', 'latin1'),
  'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide', 'utf16le')]),
  'marked.txt': '\uFEFFmarked',
  'long.log': Array.from({ length: 5_000 }, (_, i) => `line ${i + 1} of the log ${'-'.repeat(900)}\n`).join(''),
  'pixel.png': PIXEL,
  'people.csv': 'name,team\n"Berg, Anna",01\nBo,2\n',
  'twice.csv': 'a,a\n1,2\n',
  'broken.csv': 'a,b\n1,2\n3\n',
  'table.tsv': 'a\tb\n1\t"x"\n',
  'data.json': '{"big": 12345678901234567890, "half": 120.0, "10": 1, "2": 2}',
  'lines.jsonl': '{"a":1.0}\n\n[9007199254740993]\n',
  'broken.jsonl': '{}\n{\n',
  'data.yaml': 'big: 12345678901234567890\nhalf: 120.0\nday: 2026-01-31\nnothing:\n',
  'several.yml': '---\na: 1\n---\n[b]\n',
  'data.toml': 'big = 9007199254740993\nhalf = 1.0\nday = 2026-01-31\n',
  'src/a.py': 'import os\n\ndef main():\n    return os.name\n',
  'src/b.py': 'def other():\n    pass\n',
  'src/deep/c.py': 'x = 1\ny = 1\nx = 1\n',
  'src/deep/.hidden.py': 'def hidden(): pass\n',
  'src/build/out.py': 'def built(): pass\n',
  'src/.gitignore': 'build/\n*.tmp\n!keep.tmp\n',
  'src/lost.tmp': 'def lost(): pass\n',
  'src/keep.tmp': 'def kept(): pass\n',
  'src/.git/config': 'def git(): pass\n',
  'private/key.txt': 'private',
  '.starbind/state': 'private',
  'w/edit.txt': 'alpha\nbeta\nalpha\n',
  'w/crlf.txt': 'one\r\ntwo\r\n',
  'w/marked.txt': '\uFEFFold',
  'w/diff.txt': 'a\nb\nc\nd\n',
  'w/mode.sh': 'echo',
  'w/old/name.txt': 'moved',
})
let codeMode: CodeMode

beforeAll(async () => {
  chmodSync(path.join(root, 'w/mode.sh'), 0o750)
  symlinkSync('notes.txt', path.join(root, 'link.txt'))
  utimesSync(path.join(root, 'notes.txt'), 0, 1_700_000_000)
  codeMode = await CodeMode.open({
    servers: {
      files: { builtin: 'files', root, exclude: ['private/'] },
      work: { builtin: 'files', root: path.join(root, 'w'), write: true },
    },
  })
})
afterAll(() => codeMode.close())

async function resultOf(expression: string): Promise<unknown> {
  const { result, error } = await codeMode.run(`result = ${expression}`)
  if (error !== null) throw new Error(error.message)
  return result
}

/** The words of the failure of each call, in order. */
async function wordsOf(...calls: readonly string[]): Promise<unknown> {
  const tries = calls.map(
    (call) => `try:\n  ${call}\n  said.append(None)\nexcept Exception as e:\n  said.append(str(e))\n`,
  )
  const { result, error } = await codeMode.run(`said = []\n${tries.join('')}result = said`)
  if (error !== null) throw new Error(error.message)
  return result
}

const inRoot = (name: string) => readFileSync(path.join(root, name), 'utf8')

describe('a program reads', () => {
  it('texts: whole, by lines, in their encodings', async () => {
    expect(
      await resultOf(
        '[files.read("notes.txt"), files.read("notes.txt", start=2, lines=2), files.read("notes.txt", start=-1), files.read("./src/../link.txt", start=4), files.read("latin.txt", encoding="latin1"), files.read("wide.txt"), files.read("marked.txt"), files.read("windows.txt")]',
      ),
    ).toEqual([
      'one\ntwo\nthree\nfour\n',
      'two\nthree\n',
      'four\n',
      'four\n',
      'café',
      'wide',
      'marked',
      'a = 1\r\nb = 2\r\n',
    ])
  })

  it('parts of files that are too large to be read whole', async () => {
    expect(
      await resultOf(
        '[files.read("long.log", start=4_999)[:20], files.read("long.log", start=-2)[:20], files.read("long.log", start=2_500, lines=1)[:20]]',
      ),
    ).toEqual(['line 4999 of the log', 'line 4999 of the log', 'line 2500 of the log'])
    const { size } = statSync(path.join(root, 'long.log'))
    expect(await wordsOf('files.read("long.log")', 'files.read("long.log", start=2)')).toEqual([
      `"long.log" has ${size} bytes, more than 4194304: read it in parts, such as files.read("long.log", start=1, lines=1000)`,
      'these lines of "long.log" have more than 4194304 bytes: read fewer',
    ])
  })

  it('data, in exactly its own numbers', async () => {
    const { result, error } = await codeMode.run(`
rows = [files.data("people.csv"), files.data("table.tsv")]
values = [files.data(name) for name in ["data.json", "lines.jsonl", "data.yaml", "several.yml", "data.toml"]]
plain = files.data("notes.txt", format="yaml")
result = repr(rows + values + [plain])`)
    expect(error).toBeNull()
    expect(result).toBe(
      "[[{'name': 'Berg, Anna', 'team': '01'}, {'name': 'Bo', 'team': '2'}], [{'a': '1', 'b': 'x'}], {'big': 12345678901234567890, 'half': 120.0, '10': 1, '2': 2}, [{'a': 1.0}, [9007199254740993]], {'big': 12345678901234567890, 'half': 120.0, 'day': '2026-01-31', 'nothing': None}, [{'a': 1}, ['b']], {'big': 9007199254740993, 'half': 1.0, 'day': '2026-01-31'}, 'one two three four']",
    )
  })

  it('pictures as artifacts, which writing takes as they are', async () => {
    const { result, error } = await codeMode.run(
      'a = files.artifact("pixel.png")\nb = work.write("copy.png", content=a)\nresult = [a["mimeType"], a["bytes"], b["bytes"]]',
    )
    expect(error).toBeNull()
    expect(result).toEqual(['image/png', PIXEL.length, PIXEL.length])
    expect(readFileSync(path.join(root, 'w/copy.png'))).toEqual(PIXEL)
  })

  it('facts about files and folders', async () => {
    expect(
      await resultOf('[files.stat("notes.txt"), files.stat("link.txt")["path"], files.stat(".")["kind"]]'),
    ).toEqual([
      { path: 'notes.txt', kind: 'file', size: 19, modified: '2023-11-14T22:13:20.000Z' },
      'notes.txt',
      'folder',
    ])
    expect(await resultOf('files.list("src")')).toEqual([
      { name: '.git', path: 'src/.git', kind: 'folder', size: 0 },
      { name: '.gitignore', path: 'src/.gitignore', kind: 'file', size: 23 },
      { name: 'a.py', path: 'src/a.py', kind: 'file', size: 42 },
      { name: 'b.py', path: 'src/b.py', kind: 'file', size: 22 },
      { name: 'build', path: 'src/build', kind: 'folder', size: 0 },
      { name: 'deep', path: 'src/deep', kind: 'folder', size: 0 },
      { name: 'keep.tmp', path: 'src/keep.tmp', kind: 'file', size: 17 },
      { name: 'lost.tmp', path: 'src/lost.tmp', kind: 'file', size: 17 },
    ])
  })

  it('nothing of what the entry excludes, or of the state of starbind', async () => {
    expect(await resultOf('[e["name"] for e in files.list() if e["name"] in ("private", ".starbind")]')).toEqual([])
    expect(await resultOf('files.search("private", hidden=True, ignored=True)')).toEqual([])
    expect(
      await wordsOf('files.read("private/key.txt")', 'files.list("private")', 'files.read(".starbind/state")'),
    ).toEqual([
      '"private/key.txt" is not for programs',
      '"private" is not for programs',
      '".starbind/state" is not for programs',
    ])
  })
})

describe('a program finds', () => {
  it('files by their names, in order, without what is hidden or ignored', async () => {
    expect(
      await resultOf(
        '[files.glob("**/*.py"), files.glob("*.py", path="src"), files.glob("src/{a,b}.py"), files.glob("**/*.py", hidden=True, ignored=True), files.glob("**", path="src", limit=2), files.glob("**/*.tmp")]',
      ),
    ).toEqual([
      ['src/a.py', 'src/b.py', 'src/deep/c.py'],
      ['src/a.py', 'src/b.py'],
      ['src/a.py', 'src/b.py'],
      ['src/a.py', 'src/b.py', 'src/build/out.py', 'src/deep/.hidden.py', 'src/deep/c.py'],
      ['src/a.py', 'src/b.py'],
      ['src/keep.tmp'],
    ])
  })

  it('lines by a pattern', async () => {
    const match = (file: string, line: number, more: object) => ({
      path: file,
      line,
      column: 1,
      before: [],
      after: [],
      ...more,
    })
    expect(await resultOf(String.raw`files.search(r"def \w+", path="src", glob="*.py")`)).toEqual([
      match('src/a.py', 3, { text: 'def main():', match: 'def main' }),
      match('src/b.py', 1, { text: 'def other():', match: 'def other' }),
    ])
    expect(await resultOf('files.search("RETURN", path="src/a.py", ignore_case=True, context=1)')).toEqual([
      match('src/a.py', 4, { column: 5, text: '    return os.name', match: 'return', before: ['def main():'] }),
    ])
    expect(await resultOf(String.raw`files.search(r"1\ny", path="src", multiline=True)`)).toEqual([
      match('src/deep/c.py', 1, { column: 5, text: 'x = 1\ny = 1', match: '1\ny' }),
    ])
    expect(await resultOf('files.search("main()", literal=True, path="src", limit=1)')).toEqual([
      match('src/a.py', 3, { column: 5, text: 'def main():', match: 'main()' }),
    ])
    expect(await resultOf('[m["line"] for m in files.search("^x", path="src/deep")]')).toEqual([1, 3])
    expect(await resultOf('files.search("é", path="latin.txt")')).toEqual([])
  })

  it('what python finds with the same patterns', async () => {
    const patterns = ['line 1.*7 of', '(log|LOG) -+$', '[0-9]{3}', 'of+ the', String.raw`\b99\d?\b`, 'x?line 30*1 ']
    const lines = inRoot('long.log').split('\n').slice(0, 1_000)
    writeFileSync(path.join(root, 'w/part.log'), lines.map((line) => line.slice(0, 40)).join('\n'))
    const program = `import re,json
lines = open(${JSON.stringify(path.join(root, 'w/part.log'))}).read().splitlines()
print(json.dumps([[i + 1 for i, l in enumerate(lines) if re.search(p, l)] for p in json.loads(${JSON.stringify(JSON.stringify(patterns))})]))`
    const python = JSON.parse(execFileSync('python3', ['-c', program], { encoding: 'utf8', maxBuffer: 1e8 }))
    const counts = patterns.map((pattern) => `len(files.search(r"${pattern}", path="w/part.log", limit=50000))`)
    expect(await resultOf(`[${counts.join(', ')}]`)).toEqual(python.map((found: number[]) => found.length))
  })

  it('no file by a text that a match need not contain', () => {
    const texts = [
      'def \\w+',
      'colou?r',
      'ab*c',
      'x{0,2}y',
      'a|b',
      '(?i)abc',
      '(abc)?d',
      '[abc]d',
      'a\\.b',
      '\\Qa.b\\E',
      'abc+',
      'a{2}b',
      '\\x41b',
      '\\pLx',
    ]
    expect(texts.map(requiredLiteral)).toEqual([
      'def ',
      'colo',
      'a',
      'y',
      '',
      '',
      'd',
      'd',
      'a',
      '',
      'abc',
      'b',
      '',
      '',
    ])
  })
})

describe('a program changes', () => {
  it('files, and takes changes back', async () => {
    const { result, error } = await codeMode.run(`
a = work.write("new/deep/file.txt", "first")
b = work.write("new/deep/file.txt", "second", append=True)
c = work.edit("new/deep/file.txt", old="second", new="2nd")
text = work.read("new/deep/file.txt")
back = [work.undo()["path"], work.undo(b["change"])["bytes"], work.read("new/deep/file.txt"), work.undo()]
gone = [e["name"] for e in work.list("new/deep")]
result = [[one["action"] for one in (a, b, c)], text, back, gone]`)
    expect(error).toBeNull()
    expect(result).toEqual([
      ['created', 'replaced', 'replaced'],
      'first2nd',
      ['new/deep/file.txt', 5, 'first', { change: 'c2', action: 'undone', path: 'new/deep/file.txt', bytes: 5 }],
      [],
    ])
  })

  it('places in texts, with the line ends and the mark that a file has', async () => {
    const { error } = await codeMode.run(`
work.edit("edit.txt", old="alpha", new="A", all=True)
work.edit("crlf.txt", old="one\\ntwo", new="1\\n2")
work.edit("marked.txt", old="old", new="new")
work.edit("diff.txt", diff="""--- a/diff.txt
+++ b/diff.txt
@@ -1,3 +1,3 @@
 a
-b
+B
 c
""")
work.edit("mode.sh", old="echo", new="exit")`)
    expect(error).toBeNull()
    expect(['w/edit.txt', 'w/crlf.txt', 'w/marked.txt', 'w/diff.txt'].map(inRoot)).toEqual([
      'A\nbeta\nA\n',
      '1\r\n2\r\n',
      '\uFEFFnew',
      'a\nB\nc\nd\n',
    ])
    expect(statSync(path.join(root, 'w/mode.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(path.join(root, 'w')).filter((name) => name.endsWith('.starbind'))).toEqual([])
  })

  it('names, and removes files, links and empty folders', async () => {
    symlinkSync('edit.txt', path.join(root, 'w/to-edit'))
    const { result, error } = await codeMode.run(`
work.move("old/name.txt", "fresh/name.txt")
work.remove("old")
work.undo()
kind = work.stat("old")["kind"]
work.remove("to-edit")
removed = work.remove("fresh/name.txt")
work.undo()
result = [kind, removed["action"], work.read("fresh/name.txt"), work.stat("edit.txt")["kind"]]`)
    expect(error).toBeNull()
    expect(result).toEqual(['folder', 'removed', 'moved', 'file'])
  })

  it('nothing back that somebody has changed since', async () => {
    await codeMode.run('work.write("mine.txt", "mine")')
    writeFileSync(path.join(root, 'w/mine.txt'), 'theirs')
    expect(await wordsOf('work.undo()', 'work.undo("c999")')).toEqual([
      '"mine.txt" has changed since: nothing was undone',
      'there is no change "c999", or it is too old to be undone',
    ])
    expect(inRoot('w/mine.txt')).toBe('theirs')
  })
})

describe('a program is told', () => {
  it('why there is no answer', async () => {
    expect(
      await wordsOf(
        'files.read("nope.txt")',
        'files.read("src")',
        'files.list("notes.txt")',
        'files.read("pixel.png")',
        'files.read("latin.txt")',
        'files.read("notes.txt", encoding="klingon")',
        'files.read("notes.txt", start=9)',
        'files.read("notes.txt", start=0)',
        'files.search("a(b")',
        'files.search("(?=a)b")',
        'files.glob("/etc/*")',
        'files.data("twice.csv")',
        'files.data("broken.jsonl")',
        'files.data("notes.txt")',
      ),
    ).toEqual([
      'there is no "nope.txt"',
      '"src" is a folder: files.list("src") names its files',
      '"notes.txt" is a file, not a folder',
      '"pixel.png" is binary, not text: files.artifact("pixel.png") keeps it as a file',
      '"latin.txt" is not utf-8 text: pass its encoding, such as encoding="latin1", or use files.artifact',
      'there is no encoding "klingon"',
      '"notes.txt" has 4 lines, there is no line 9',
      'start is 0, and the first line is 1',
      '"a(b" is no pattern: missing closing ): `a(b`',
      '"(?=a)b" is no pattern: invalid or unsupported Perl syntax: `(?=` (RE2 has no lookaround and no backreferences)',
      '"/etc/*" is absolute: patterns are relative to path',
      '"twice.csv" is not csv: two columns are called "a"',
      expect.stringMatching(/^"broken\.jsonl" is not jsonl: line 2: /),
      'the name of "notes.txt" does not say what it holds: pass format, one of csv, tsv, json, jsonl, yaml, toml',
    ])
    expect(await wordsOf('files.data("broken.csv")')).toEqual([
      expect.stringMatching(/^"broken\.csv" is not csv: .*line 3/),
    ])
  })

  it('why nothing was changed', async () => {
    writeFileSync(path.join(root, 'w/told.txt'), 'a\nb\na\n  c\n')
    expect(
      await wordsOf(
        'work.edit("told.txt", old="a", new="x")',
        'work.edit("told.txt", old="c\\n", new="x")\n  work.undo()',
        'work.edit("told.txt", old="\\tc", new="x")',
        'work.edit("told.txt", old="zzz", new="x")',
        'work.edit("told.txt", old="a")',
        'work.edit("told.txt", diff="nothing")',
        'work.edit("told.txt", diff="@@ -1,1 +1,1 @@\\n-q\\n+r\\n")',
        'work.edit("absent/told.txt", old="a", new="b")',
        'work.move("told.txt", "edit.txt")',
        'work.move("absent.txt", "x.txt")',
        'work.remove("fresh")',
        'work.remove(".")',
        'work.write("told.txt/x", "y")',
        'work.write("fresh", "y")',
        'work.write("x", content="?")',
        'work.write("x")',
        'work.write(".git/hooks/pre-commit", "y")',
        'work.write("starbind.json", "{}")',
      ),
    ).toEqual([
      'old is in "told.txt" 2 times, at lines 1, 3: make it longer until it is there once, or pass all=True',
      null,
      'old is not in "told.txt"; line 4 differs from it in spaces only',
      'old is not in "told.txt"',
      'pass either old and new, or diff',
      expect.stringMatching(/^diff /),
      'the hunk at line 1 of diff does not fit "told.txt": nothing was changed',
      'there is no "absent/told.txt"',
      '"edit.txt" is there already: nothing was moved',
      'there is no "absent.txt"',
      'the folder "fresh" is not empty: remove its files first',
      "the root can't be changed itself",
      '"told.txt" is a file, not a folder',
      '"fresh" is a folder, not a file',
      'content is no base64',
      'pass either text or content',
      '".git/hooks/pre-commit" can\'t be changed: other programs take their orders from it',
      '"starbind.json" can\'t be changed: other programs take their orders from it',
    ])
    expect(inRoot('w/told.txt')).toBe('a\nb\na\n  c\n')
  })

  it('that a server without write has no tools for it', async () => {
    const { error } = await codeMode.run('files.write("x", "y")')
    expect(error?.message).toBe('files has no tool write')
  })
})
