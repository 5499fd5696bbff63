// The whole library of a guest, put together: evaluating this file registers every method, and what it exports is what programs find by name.

import './methods/byte-array-methods.js'
import './methods/list-methods.js'
import './methods/set-methods.js'
import './methods/string-methods.js'
import { pythonTypes } from './builtins/builtin-types.js'
import { builtinFunctions } from './builtins/builtins.js'
import { iterationBuiltins } from './builtins/iteration-builtins.js'
import { numberBuiltins } from './builtins/number-builtins.js'
import { typeBuiltins } from './builtins/types.js'
import { answerBy, answerByAttributes } from './calls/method-tables.js'
import { callAttribute, having } from './classes/attributes.js'
import { Instance } from './classes/classes.js'
import { Super } from './classes/super.js'
import { attributeOwners } from './foreign/foreign.js'
import { parallel } from './foreign/parallel.js'
import { byteArrayFromhex, fromhex } from './methods/bytes-methods.js'
import { fromkeys } from './methods/dict-methods.js'
import { defineNumberMethods, floatFromhex, fromBytes } from './methods/number-methods.js'
import { definePythonStringMethods, maketrans } from './methods/python-string-methods.js'
import { json } from './modules/json.js'
import { languageModules } from './modules/language.js'
import { math } from './modules/math.js'
import { Module } from './modules/module.js'
import { pythonModules } from './modules/python-modules.js'
import { results } from './modules/results.js'
import { help, mcp, runtime } from './modules/runtime.js'
import { showKeysBy } from './operators/subscript.js'
import { quoted } from './text/repr.js'
import { GuestError } from './values/errors.js'
import { python } from './values/mode.js'
import type { Value } from './values/values.js'

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
