// The whole library of a guest, put together: evaluating this file registers every method, and what it exports is what programs find by name.

import './byte-array.js'
import './list-methods.js'
import './set-methods.js'
import './string-methods.js'
import { callAttribute, having } from './attributes.js'
import { pythonTypes } from './builtin-types.js'
import { builtinFunctions } from './builtins.js'
import { byteArrayFromhex, fromhex } from './bytes-methods.js'
import { Instance } from './classes.js'
import { fromkeys } from './dict-methods.js'
import { GuestError } from './errors.js'
import { attributeOwners } from './foreign.js'
import { iterationBuiltins } from './iteration-builtins.js'
import { answerBy, answerByAttributes } from './methods.js'
import { python } from './mode.js'
import { json } from './modules/json.js'
import { languageModules } from './modules/language.js'
import { math } from './modules/math.js'
import { Module } from './modules/module.js'
import { pythonModules } from './modules/python-modules.js'
import { numberBuiltins } from './number-builtins.js'
import { defineNumberMethods, floatFromhex, fromBytes } from './number-methods.js'
import { parallel } from './parallel.js'
import { definePythonStringMethods, maketrans } from './python-string-methods.js'
import { results } from './results-module.js'
import { help, mcp, runtime } from './runtime-module.js'
import { showKeysBy } from './subscript.js'
import { Super } from './super.js'
import { quoted } from './text.js'
import { typeBuiltins } from './types.js'
import type { Value } from './values.js'

showKeysBy(quoted)
if (python) {
  definePythonStringMethods()
  defineNumberMethods()
}

/** Python's methods of the types themselves: `dict.fromkeys` and its like, by type and name. */
export const statics: Readonly<Record<string, Readonly<Record<string, Value>>>> = python
  ? {
      dict: { fromkeys },
      str: { maketrans },
      int: { from_bytes: fromBytes },
      float: { fromhex: floatFromhex },
      bytes: { fromhex },
      bytearray: { fromhex: byteArrayFromhex },
    }
  : {}

const functions: Readonly<Record<string, Value>> = {
  ...builtinFunctions,
  ...iterationBuiltins,
  ...numberBuiltins,
  ...typeBuiltins,
  parallel,
}

/** The universal names: functions, and in the default dialect classes. */
export const builtins: Readonly<Record<string, Value>> = python
  ? { ...functions, help, ...pythonTypes(functions, statics) }
  : functions

const hostModules = { runtime, mcp, 'mcp.runtime': runtime, results }

/** The modules that are always there, by name. */
export const modules: Readonly<Record<string, Value>> = python
  ? { ...hostModules, json, math, ...pythonModules, ...languageModules }
  : { ...hostModules, json, math }

// All methods are declared now.
if (python) answerBy({ callAttribute, having })
if (python)
  answerByAttributes(
    [
      Object.getPrototypeOf(callAttribute) as object,
      Instance.prototype,
      GuestError.prototype,
      Module.prototype,
      Super.prototype,
    ],
    { callAttribute, having },
  )
answerByAttributes(attributeOwners, { callAttribute, having })
