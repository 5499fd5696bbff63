// The modules that belong to the language itself: classes, coroutines, contexts.

import { asyncio } from './asyncio.js'
import { concurrentModules } from './concurrent.js'
import { contextlib } from './contextlib.js'
import { dataclasses } from './dataclasses.js'
import { enumModule } from './enum.js'
import type { Module } from './module.js'
import { sys } from './sys.js'
import { types } from './types.js'
import { abc, typing } from './typing.js'

export const languageModules: Readonly<Record<string, Module>> = {
  abc,
  asyncio,
  ...concurrentModules,
  contextlib,
  dataclasses,
  enum: enumModule,
  sys,
  types,
  typing,
}
