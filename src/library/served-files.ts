// One caller's files in `results/`, as MCP and HTTP serve them.

import type { ServedFiles } from '../gateway/index.js'
import { isRunResult } from '../meta-tools/index.js'
import { safeFileName, type Vfs } from '../vfs/index.js'

/** Changes are reported together after this time. */
const TOGETHER_MS = 50

export function servedFiles(vfs: Vfs): ServedFiles {
  const { artifacts, answers } = vfs
  const holders = [...new Set([answers, artifacts])]
  return {
    fresh: async () => vfs.fresh(),
    list: () =>
      holders
        .flatMap((files) =>
          files.paths.flatMap((path) => {
            const artifact = files.artifact(path)
            return artifact === undefined ? [] : { ...artifact, keptAt: files.keptAt(path) }
          }),
        )
        .sort((a, b) => a.keptAt - b.keptAt),
    async read(name) {
      const files = holders.find((one) => one.has(pathOf(name)))
      await files?.load(pathOf(name))
      return files?.read(pathOf(name)) ?? new Uint8Array()
    },
    stream: (name, range) => holders.find((files) => files.has(pathOf(name)))!.stream(pathOf(name), range),
    mayBeNamed: (name) => !isRunResult(safeFileName(name)),
    async receive(name, source, mimeType) {
      const path = await artifacts.receive(name, source, mimeType)
      await artifacts.settled()
      return { ...artifacts.artifact(path)!, keptAt: artifacts.keptAt(path) }
    },
    maxBytes: artifacts.mostReceived,
    listen(listener) {
      const names = new Set<string>()
      let timer: NodeJS.Timeout | undefined
      const tell = (): void => {
        timer = undefined
        listener(new Set(names))
        names.clear()
      }
      const deaf = holders.map((files) =>
        files.listen((path) => {
          names.add(path.slice(path.indexOf('/') + 1))
          timer ??= setTimeout(tell, TOGETHER_MS).unref()
        }),
      )
      return () => {
        clearTimeout(timer)
        for (const stop of deaf) stop()
      }
    },
  }
}

function pathOf(name: string): string {
  return `results/${name}`
}
