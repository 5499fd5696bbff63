// The images of a sandbox. The first worker that needs an image that is not in the store evaluates it; the others copy
// the result.
// Invariant: exactly one worker builds an image.

import type { GuestImage } from './contract.js'
import type { ImageState } from './guest.js'
import { storedState, storeState } from './image-store.js'

export class ImageEntry {
  readonly image: GuestImage
  #state: ImageState | undefined
  #building: Promise<ImageState | undefined> | undefined
  #settle: ((state: ImageState | undefined) => void) | undefined

  constructor(image: GuestImage) {
    this.image = image
    this.#building = storedState(image).then((state) => {
      this.#state = state
      this.#building = undefined
      return state
    })
  }

  get ready(): boolean {
    return this.#state !== undefined
  }

  /** The built state. Undefined: the caller must build it and report `built` or `failed`. */
  async stateOrTurn(): Promise<ImageState | undefined> {
    while (this.#state === undefined && this.#building !== undefined) await this.#building
    if (this.#state === undefined) {
      this.#building = new Promise((resolve) => {
        this.#settle = resolve
      })
    }
    return this.#state
  }

  built(state: ImageState | undefined): void {
    this.#state = state
    // Only later processes use the stored image, so a failure does not matter here.
    if (state !== undefined && this.image.kept === true) storeState(this.image, state).catch(() => {})
    this.#finish()
  }

  failed(): void {
    this.#finish()
  }

  #finish(): void {
    this.#building = undefined
    this.#settle?.(this.#state)
    this.#settle = undefined
  }
}

/** The images of the build in this process, as long as a sandbox or a thread has them. */
const built = new Map<string, WeakRef<ImageEntry>>()

export class ImageLibrary {
  // By digest or source first, as it is: the engine keeps the hash of a text it has seen, and a text made for looking
  // up would have to be hashed each time.
  readonly #entries = new Map<string, Map<string, ImageEntry>>()

  entryOf(image: GuestImage): ImageEntry {
    const texts = image.digest ?? image.source
    let named = this.#entries.get(texts)
    if (named === undefined) {
      named = new Map()
      this.#entries.set(texts, named)
    }
    const key = `${image.date === true ? 'with' : 'without'} Date, ${image.lookUp}: ${image.name}`
    let entry = named.get(key)
    if (entry === undefined) {
      entry = image.digest === undefined ? new ImageEntry(image) : builtEntry(`${image.digest} ${key}`, image)
      named.set(key, entry)
    }
    return entry
  }
}

function builtEntry(key: string, image: GuestImage): ImageEntry {
  const known = built.get(key)?.deref()
  if (known !== undefined) return known
  const entry = new ImageEntry(image)
  built.set(key, new WeakRef(entry))
  return entry
}
