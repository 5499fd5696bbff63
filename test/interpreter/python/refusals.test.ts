// The whole messages of refusals before a run.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { refusal } from './guest.js'

const golden = path.join(path.dirname(fileURLToPath(import.meta.url)), 'refusals.txt')

const refused = [
  'import random\nprint(random.random())\nrandom.seed()',
  'from random import choice\nprint(choice([1]))',
  'import random\nr = random.SystemRandom()',
  'import requests\nrequests.get("x")',
  'import subprocess\nsubprocess.run([])',
  'from pathlib import Path\ntext = Path("a.txt").read_text()\nhere = Path.cwd()',
  'import os\nprint(os.environb, os.listdir())',
  'import os.path\nprint(os.path.exists("a"))',
  'import pandas as pd\npd.DataFrame()',
  'import numpy\nnumpy.mean([1])',
  'import multiprocessing\nmultiprocessing.Pool()',
  'from zoneinfo import ZoneInfo\nzone, utc = ZoneInfo("Europe/Berln"), ZoneInfo("UTC")',
  'z = complex(1, 2)',
  'import traceback\nprint(traceback.extract_stack())',
  'import tabulate, jsonschema\nfrom pydantic import BaseModel\nprint(tabulate, jsonschema, BaseModel)',
  'import smtplib\nfrom email.utils import make_msgid\nprint(smtplib.SMTP("localhost"), make_msgid())',
  'import ast\nprint(ast.parse("1"))',
  'print("\\N{BULET} one")',
  'try:\n    f()\nexcept* ValueError as group:\n    print(group)',
  'raise ExceptionGroup("all", [ValueError(1)])',
  'import foo\nfoo.bar()',
  'from foo.bar import x\nx()',
  'from . import x',
  'def f():\n    from math import *',
  'from collections import Conter\nConter()',
  'import json\njson.lods("")',
  'import time\nt = time.time()',
  'from time import time\ntime()',
  'import time\nprint(time.strftime("%Y"), time.localtime())',
  'from datetime import datetime\nx = datetime.now()',
  'import datetime as dt\nx = dt.date.today()',
  'import uuid\nx = uuid.uuid4()',
  'from uuid import uuid4\nuuid4()',
  'import sys\nfor line in sys.stdin: print(line)',
  'f = open("x")',
  'x = input("?")',
  'eval("1")',
  'exec("x")',
  'globals()',
  '__import__("os")',
  'x = id(3)',
  'class M(type): pass',
  'class A(metaclass=Meta): pass\nMeta = 1',
  'class A(range): pass',
  'class A:\n    def __getattribute__(self, name): pass',
  '@app.route("/")\ndef f(): pass',
  'x = 1j',
  'yield 1',
  'def f():\n    return [(yield x) for x in [1]]',
  'class A:\n    return 1',
  'def f():\n    nonlocal q',
  'break',
  'load("x.star", "y")',
]

describe('refusals', () => {
  it('name the refused feature, the reason and the replacement', () => {
    const all = refused.map((text) => `${text}\n\n${refusal(text) ?? 'ACCEPTED'}\n`).join(`${'-'.repeat(80)}\n`)
    if (process.env.UPDATE_GOLDENS === '1') writeFileSync(golden, all)
    expect(all).toBe(readFileSync(golden, 'utf8'))
  })

  it.each([
    'import os',
    'import requests, numpy as np\nprint(1)',
    'from time import time\nfrom uuid import uuid4\nprint(1)',
    'from random import choice\nprint(1)',
    'from pydantic import BaseModel\nprint(1)',
  ])('are not for imports that nothing reads: %j', (text) => {
    expect(refusal(text)).toBe(undefined)
  })

  it('do not concern expected failures: an import may fail in a try', () => {
    expect(refusal('try:\n    import numpy as np\nexcept ImportError:\n    np = None')).toBe(undefined)
    expect(refusal('try:\n    import numpy as np\nexcept ValueError:\n    np = None\nnp.x')).toMatch(/import of numpy/)
  })

  it('do not apply to names that the program defines itself', () => {
    expect(refusal('def open(x): return x\nopen(1)\nid = 3\nprint(id)\ninput = [1]\nfor vars in input: pass')).toBe(
      undefined,
    )
  })
})
