// All processing of a JavaScript program's text takes linear time.

import { describe, expect, it } from 'vitest'
import { compile, compileRecognised } from '../../../dist/interpreter/stages.js'
import { excess } from '../../growth/growth.js'
import { bindings } from './world.js'

const list = (n: number, make: (i: number) => string, by = ''): string =>
  Array.from({ length: n }, (_, i) => make(i)).join(by)

/** `n` times something of about ten characters. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  'a<!--b': (n) => `let a, b;${'a<!--b\n'.repeat(n)}`,
  'a comment and a text with <!--': (n) => `${'/*<!--*/"<!--";'.repeat(n)}`,
  'names that mean nothing': (n) => list(n, (i) => `u${i}`, ';'),
  'one name that means nothing': (n) => 'unknown;'.repeat(n),
  'names that are assigned': (n) => list(n, (i) => `u${i} = 1`, ';'),
  'names that are declared': (n) => `let ${list(n, (i) => `v${i}`, ',')}`,
  'names that are declared with types': (n) => `let t: T; let ${list(n, (i) => `v${i}`, ',')}`,
  'one name that is declared again and again': (n) => 'var v = 1;'.repeat(n),
  'constants that are assigned': (n) => `const a = 1;${'a = 2;'.repeat(n)}`,
  aliases: (n) => `const a0 = db;${list(n, (i) => `const a${i + 1}=a${i};`)}a${n}.fail()`,
  'aliases, the last one first': (n) =>
    `${list(n, (i) => `const a${i}=a${i + 1};`)}const a${n} = db;${'a0.fail();'.repeat(100)}`,
  'aliases in circles': (n) => list(n, (i) => `var a${i}=b${i},b${i}=a${i};a${i}.x;`),
  'lists of lists': (n) => `const a0=[1];${list(n, (i) => `const a${i + 1}=[a${i},a${i}];`)}db.put({ value: a${n} })`,
  'a chain of members': (n) => `let a = {}; a${'.member'.repeat(n)}`,
  'a chain of calls': (n) => `let a; a${'.call(1)'.repeat(n)}`,
  'a chain of optional members': (n) => `let a; a${'?.member'.repeat(n)}`,
  'a chain of .stack': (n) => `let a; a${'.stack'.repeat(n)}`,
  'a sum': (n) => `1${' + 2 * 3'.repeat(n)}`,
  'assignments in a sum': (n) => `let a, b; 1${'+([a] = b)'.repeat(n)}`,
  'calls of tools in a sum': (n) => `try { 1${'+db.fail()'.repeat(n)} } catch {}`,
  'wrong calls': (n) => 'db.get_row("x");'.repeat(n),
  'tools that are not there': (n) => 'db.get_rows();'.repeat(n),
  'fields that are not there': (n) => `const s = db.stock();${'s.nope.x;'.repeat(n)}`,
  'fields behind an end': (n) => `const s = db.stock();${'if (s) return 1;s.nope.x;'.repeat(n)}`,
  'a chain of promises': (n) => `db.fail()${'.then((x) => x)'.repeat(n)}`,
  'awaits that are missing': (n) => `async function f() {}${'f().b;'.repeat(n)}`,
  'awaits that are missing of one promise': (n) => `async function f() {} const p = f();${'p.b;'.repeat(n)}`,
  'lists of promises': (n) => `const l = [1].map(async (x) => x);${'l.join;l[0];'.repeat(n)}`,
  'elements of lists of promises': (n) => `const l = [1].map(async (x) => x);${'for (const p of l) p;'.repeat(n)}`,
  'async functions': (n) => 'async () => 1;'.repeat(n),
  'async methods': (n) => `class A {${list(n, (i) => `async m${i}({ x }) {}`)}}`,
  'things that are thrown': (n) => `if (1 < 0) { ${'throw "text";'.repeat(n)} }`,
  'taking apart': (n) => 'for (const [x] of []);'.repeat(n),
  'classes made': (n) => 'new Map;'.repeat(n),
  lines: (n) => '\n1\n'.repeat(n),
  'regular expressions': (n) => '/(a|b)*c/u;'.repeat(n),
  'names of groups': (n) => `/${list(n, (i) => `(?<g${i}>a)`)}/`,
  templates: (n) => `\`${'${1} text '.repeat(n)}\``,
  'comparisons beside types': (n) => `let t: T = 1, a, b;${'a<b;a<(b);'.repeat(n)}`,
  types: (n) => list(n, (i) => `let v${i}: A<B> | C[] = 1 as D;`),
  receivers: (n) => list(n, (i) => `function f${i}(this: T) {}`),
  'members of an enum': (n) => `enum E { ${list(n, (i) => `M${i}`, ', ')} }`,
  'not null': (n) => `let a; a${'!.member'.repeat(n)}`,
  'private names': (n) => `class A { ${list(n, (i) => `#p${i} = 1; m${i}() { this.#p${i} }`)} }`,
  'what is exported': (n) => list(n, (i) => `export const e${i} = 1;`),
  'a name as long as the program': (n) => `const ${'n'.repeat(8 * n)} = 1`,
  'what can be read in neither language': (n) => `${'const x = (1;\n'.repeat(n)}`,
}

const { foreign } = bindings

describe('compile time is linear in the program:', () => {
  it.each(Object.entries(shapes))('%s', (_, make) => {
    const compiling = (n: number) => {
      const text = make(n)
      return () => compile({ text, language: 'javascript' }, { foreign })
    }
    expect(excess(compiling, 1000)).toBe(undefined)
  })
})

describe('even if the language is not specified', () => {
  it.each<[string, (n: number) => string]>([
    ['line breaks', (n) => `${'\n'.repeat(10 * n)}x = (`],
    ['blank lines', (n) => `${' \t\r\n'.repeat(3 * n)}let x = 1;`],
    ['JavaScript', (n) => 'const f = (x) => { return x }\n;'.repeat(n)],
    ['what can be read in neither', (n) => 'const x = (1;\n'.repeat(n)],
  ])('%s', (_, make) => {
    const guessing = (n: number) => {
      const text = make(n)
      return () => compileRecognised({ text, language: 'starlark', guessed: true }, { foreign })
    }
    expect(excess(guessing, 1000)).toBe(undefined)
  })
})

describe('places', () => {
  const placesOf = (n: number) => {
    const result = compile({
      text: `let a = {};\n${'a.b["é😀"];'.repeat(n)}\n${'a.b;\n'.repeat(n)}`,
      language: 'javascript',
    })
    if (!result.ok) throw new Error('the program is refused')
    return result.program.positions
  }
  const asked = (n: number) => {
    const places = placesOf(n)
    return () => {
      for (let i = 1; i <= 200; i++) {
        places.find(3, i * 7)
        places.find(i, i)
        places.find(n + i, 1)
      }
    }
  }

  it('are found in time linear in the program', () => {
    expect(excess(asked, 2000)).toBe(undefined)
  })

  it.each([
    [2, 99_999_999_999_999],
    [99_999_999_999_999, 2],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [-1, -1],
    [0, 0],
    [1.5, 1.5],
    [Number.NaN, 1],
  ])('are nowhere at %d:%d', (line, column) => {
    expect(placesOf(1).find(line, column)).toBe(undefined)
  })
})
