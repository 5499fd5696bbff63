// Bare QuickJS without threads, limits or checks, the baseline for every sandbox over it. Each run has a runtime and a
// context of its own; values cross as JSON.
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core'

export async function open(tools) {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  return {
    async run(text) {
      const runtime = quickjs.newRuntime()
      const context = runtime.newContext()
      try {
        for (const [name, call] of Object.entries(tools)) install(context, name, call)
        const wrapped = `${names(tools)}(async () => {"use strict";\n${text}\n})().then((v) => JSON.stringify(v))`
        const promise = context.unwrapResult(context.evalCode(wrapped))
        const settled = context.resolvePromise(promise)
        runtime.executePendingJobs()
        const value = context.unwrapResult(await settled)
        const result = JSON.parse(context.getString(value))
        for (const handle of [promise, value]) handle.dispose()
        return result
      } finally {
        context.dispose()
        runtime.dispose()
      }
    },
  }
}

function names(tools) {
  const one = (name) => `const ${name} = async (a) => JSON.parse(await ${name}Json(JSON.stringify(a)));`
  return Object.keys(tools).map(one).join('')
}

function install(context, name, call) {
  const host = context.newFunction(`${name}Json`, (argument) => {
    const answer = call(JSON.parse(context.getString(argument)).x)
    if (!(answer instanceof Promise)) return context.newString(JSON.stringify(answer))
    const deferred = context.newPromise()
    answer.then((value) => {
      context.newString(JSON.stringify(value)).consume((text) => deferred.resolve(text))
      context.runtime.executePendingJobs()
    })
    return deferred.handle
  })
  context.setProp(context.global, `${name}Json`, host)
  host.dispose()
}
