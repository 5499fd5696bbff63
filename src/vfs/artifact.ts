import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as ImageSize from 'image-size'
import { lookup } from 'mrmime'

/**
 * A kept file as programs and callers see it.
 *
 * @example
 * import { type Artifact, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { browser: { command: 'my-mcp-server' } } })
 * await codeMode.run('browser.screenshot()')
 * const pictures: Artifact[] = (await codeMode.artifacts.list()).filter(({ width }) => width !== undefined)
 * console.log(pictures.map(({ name, bytes }) => `${name}: ${bytes} bytes`))
 */
export interface Artifact {
  /** The name in `results/`. */
  readonly name: string
  readonly mimeType: string
  /** The size. */
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
  /** In pixels; absent if the file is not a picture of a known format with its size in the first 64 KiB. */
  readonly width?: number
  readonly height?: number
  /** The path under which a model can read it. */
  readonly path: string
}

/** The known properties of a content. */
export interface KnownContent {
  /** The type that the maker gave. Default: by the extension. */
  readonly mimeType?: string | undefined
  /** Computed by another thread. Default: computed here. */
  readonly facts?: ContentFacts | undefined
  /** Its digest, if another thread has found only that. */
  readonly sha256?: string | undefined
}

/** Plain data. */
interface ContentFacts {
  readonly sha256: string
  /** Absent if the content is not a picture of a known format. */
  readonly picture?: Picture | undefined
}

interface Picture {
  readonly mimeType?: string | undefined
  readonly width: number
  readonly height: number
}

/** `mimeType` is the type that the maker gave. For a picture, its content decides. */
export function describeArtifact(
  path: string,
  {
    mimeType,
    bytes,
    facts,
  }: { readonly mimeType: string | undefined; readonly bytes: number; readonly facts: ContentFacts },
): Artifact {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const said = plainType(mimeType ?? '') ?? lookup(name) ?? 'application/octet-stream'
  const { sha256, picture } = facts
  const shown = said.startsWith('image/') ? picture : undefined
  return {
    name,
    mimeType: shown?.mimeType ?? said,
    bytes,
    sha256,
    ...(shown === undefined ? {} : { width: shown.width, height: shown.height }),
    path,
  }
}

/** Takes time in proportion to the size, unless the digest is known. */
export function factsOf(content: Uint8Array, known?: string): ContentFacts {
  return factsFrom(content, known ?? createHash('sha256').update(content).digest('hex'))
}

function factsFrom(beginning: Uint8Array, sha256: string): ContentFacts {
  const picture = pictureIn(beginning)
  return picture === undefined ? { sha256 } : { sha256, picture }
}

/** Measures a content that arrives in pieces. The facts are known after the last one. */
export function measured(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  const beginning: Uint8Array[] = []
  let bytes = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      if (bytes < LONGEST_HEADER) beginning.push(piece)
      bytes += piece.length
      hash.update(piece)
      yield piece
    }
  }
  return { pieces: pieces(), facts: () => ({ bytes, facts: factsFrom(Buffer.concat(beginning), hash.digest('hex')) }) }
}

/** The types that clients send by default. */
const TELLS_NOTHING = /^(?:application\/(?:octet-stream|x-www-form-urlencoded)|text\/plain)\b/

/** The type of an upload: the sent type, unless the name is more specific. */
export function tellingType(name: string, sent: string): string {
  return TELLS_NOTHING.test(sent) ? (lookup(name) ?? sent.replace('x-www-form-urlencoded', 'octet-stream')) : sent
}

/** A type without parameters, in lower case; undefined if the text is not a type. */
function plainType(raw: string): string | undefined {
  const plain = raw.split(';', 1)[0]!.trim().toLowerCase()
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(plain) ? plain : undefined
}

/** Picture files state their size near the beginning. Reading more of a made-up file could block the event loop. */
const LONGEST_HEADER = 64 * 1024

function pictureIn(content: Uint8Array): Picture | undefined {
  try {
    const { imageSize } = createRequire(import.meta.url)('image-size') as typeof ImageSize
    const { width, height, type = '' } = imageSize(content.subarray(0, LONGEST_HEADER))
    const mimeType = lookup(type)
    return width > 0 && height > 0 ? { width, height, ...(mimeType === undefined ? {} : { mimeType }) } : undefined
  } catch {
    return undefined
  }
}
