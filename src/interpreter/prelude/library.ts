// The whole library of a guest. Evaluating this file registers every method. Its exports are the names for programs.

import './methods/byte-array-methods.js'
import './methods/bytes-methods.js'
import './methods/dict-methods.js'
import './methods/list-methods.js'
import './methods/number-methods.js'
import './methods/python-string-methods.js'
import './methods/set-methods.js'
import './methods/string-methods.js'

import { pythonTypes } from './builtins/builtin-types.js'
import { builtinFunctions } from './builtins/builtins.js'
import { iterationBuiltins } from './builtins/iteration-builtins.js'
import { numberBuiltins } from './builtins/number-builtins.js'
import { Instance } from './classes/classes.js'
import { Super } from './classes/super.js'
import { foreignOwners } from './foreign/namespaces.js'
import { parallel } from './foreign/parallel.js'
import { artifacts } from './modules/artifacts.js'
import { json } from './modules/json.js'
import { languageModules } from './modules/language.js'
import { math } from './modules/math.js'
import { memory } from './modules/memory.js'
import { Module } from './modules/module.js'
import { pythonModules } from './modules/python-modules.js'
import { results } from './modules/results.js'
import { help, mcp, runtime } from './modules/runtime.js'
import { GuestError } from './values/errors.js'
import { python } from './values/mode.js'
import type { Value } from './values/values.js'

const functions: Readonly<Record<string, Value>> = {
  ...builtinFunctions,
  ...iterationBuiltins,
  ...numberBuiltins,
  parallel,
}

/** The universal names: functions and, in the default dialect, classes. */
export const builtins: Readonly<Record<string, Value>> = python
  ? { ...functions, help, ...pythonTypes(functions) }
  : functions

const hostModules = { artifacts, memory, runtime, mcp, 'mcp.runtime': runtime, results }

/** The modules of every guest, by name. */
export const modules: Readonly<Record<string, Value>> = python
  ? { ...hostModules, json, math, ...pythonModules, ...languageModules }
  : { ...hostModules, json, math }

/** Prototypes of objects that have attributes of any name, including those of built-in methods. */
export const attributeOwners: readonly object[] = [
  ...(python
    ? [
        Object.getPrototypeOf(pythonTypes) as object,
        Instance.prototype,
        GuestError.prototype,
        Module.prototype,
        Super.prototype,
      ]
    : []),
  ...foreignOwners,
]
