// The guest images by name. Their texts are loaded only when a guest is built, because the compiler does not need them.

import { bundledText } from './bundled-text.js'
import type { CompiledProgram } from './program.js'

/** The digest of each image, computed by the build. */
let digests: Readonly<Record<string, string>> | undefined
const images = new Map<string, CompiledProgram['image']>()

/**
 * The guest image of a name: `javascript`, or `starlark-` and the name of a universe. Returns the same object each
 * time. Throws for any other name.
 */
export function guestImage(name: string): CompiledProgram['image'] {
  let image = images.get(name)
  if (image === undefined) {
    const read = sources[name]
    if (read === undefined) throw new Error(`there is no guest image ${name}`)
    let text: string | undefined
    image = {
      name,
      get source() {
        text ??= read()
        return text
      },
      ...(name === 'javascript' ? { date: true } : {}),
      lookUp: new URL('./locales/look-up.js', import.meta.url).href,
      kept: true,
      get digest() {
        digests ??= JSON.parse(bundledText('digests.json')) as Record<string, string>
        return digests[name]
      },
    }
    images.set(name, image)
  }
  return image
}

/** The names of all images. */
export const imageNames = (): readonly string[] => Object.keys(sources)

const sources: Readonly<Record<string, () => string>> = {
  javascript: () => bundledText('javascript/guest.js'),
  'starlark-default': () => starlark('prelude.js', false),
  'starlark-bare': () => starlark('prelude-bare.js', false),
  'starlark-library': () => starlark('prelude.js', false, ['library.js']),
  'starlark-mail': () => starlark('prelude.js', false, ['library.js', 'mail.js']),
  'starlark-strict': () => starlark('prelude-strict.js', true),
}

function starlark(bundle: string, strict: boolean, libraries: readonly string[] = []): string {
  const library = `{${libraries.map((file) => `...${bundledText(file)}`).join(',')}}`
  return `const STARBIND_STRICT = ${strict}, STARBIND_LIBRARY = ${library};\n${bundledText(bundle)}`
}
