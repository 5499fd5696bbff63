// The guest of a program: it holds the modules of Python's library only if the program names one.

import { describe, expect, it } from 'vitest'
import { compile } from '../../../dist/interpreter/stages.js'

function imageOf(text: string, strict = false): { readonly name: string; readonly source: string } {
  const compiled = compile({ text, language: 'starlark' }, { dialect: { strict } })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics))
  return compiled.program.image
}

describe('the guest of a program', () => {
  it.each([
    'print(1)',
    'print(json.dumps([1]), math.pi)',
    'import json\nimport math, sys\nfrom dataclasses import dataclass',
    'class C:\n    def isoformat(self):\n        return 1\nprint(C().isoformat())',
    'print(runtime.list_servers())',
    're_ = 1\nprint(re_)',
  ])('is without modules of the library where none is named: %j', (text) => {
    expect(imageOf(text).name).toBe('starlark-bare')
  })

  it.each([
    'print(re.sub("a", "b", "c"))',
    'import re',
    'import datetime as d',
    'import os.path\nprint(os.path.join("a", "b"))',
    'import os.path as p\nprint(p.join("a", "b"))',
    'from collections import Counter',
    'from collections.abc import Mapping',
    'from urllib.parse import quote as q',
    'def f():\n    from decimal import Decimal\n    return Decimal("1")\nf()',
    'def f():\n    return lambda: string.digits\nprint(f()())',
    'try:\n    import statistics\nexcept ImportError:\n    pass',
  ])('has them where one is named: %j', (text) => {
    expect(imageOf(text).name).toBe('starlark-default')
  })

  it('is smaller with fewer modules, and smallest in the strict dialect', () => {
    const [all, bare, strict] = [imageOf('import re'), imageOf(''), imageOf('', true)]
    expect(strict.name).toBe('starlark-strict')
    expect(all.source).toContain('Decimal')
    expect(bare.source).not.toContain('src/interpreter/prelude/modules/decimal')
    expect(strict.source).not.toContain('src/interpreter/prelude/modules/dataclasses')
    expect(bare.source.length).toBeLessThan(all.source.length * 0.7)
    expect(strict.source.length).toBeLessThan(bare.source.length)
  })
})
