// Traces the answers of tools through a program and finds out how it uses them. A tool's answer that is one text with a
// JSON object or list may mean the text (a file reader) or the data (an API), and nothing in the protocol tells the two
// apart. The program's use does. Each language describes its places, how values flow between them, and what uses imply.
// This file propagates the facts.
//
// Three facts propagate. "Used as text" and "used as data" go from uses back to calls. "May be an undecided answer"
// goes from calls forward. Each is a bit that is set once, so the work is linear in the size of the program.
// Invariant: only the program's use counts. Without a use, or with contradictory ones, the answer is undecided, and
// operations that depend on the decision ask for it.

/** The program's use of answers, by the expressions of its language. */
export interface Readings<E, Question> {
  /** The use of the answer that comes from this expression. */
  readonly answers: ReadonlyMap<E, 'text' | 'data'>
  /** Operands that may be undecided answers, where the operation depends on the decision. */
  readonly questions: ReadonlyMap<E, Question>
}

/** A place that holds values: a variable, an expression, an element of a container. */
export class Place {
  /** The places to which its values flow, and below, the places from which they come. */
  readonly to: Place[] = []
  readonly from: Place[] = []
  /** The containers of which it is an element. If the element is used as data, the container is data. */
  readonly within: Place[] = []
  inside = new Inside()
  text = false
  data = false
  /**
   * True if it is parsed as JSON. It is then a text, unless another use shows that it is data; the parser then receives
   * a value that may be a text.
   */
  parsed = false
  /**
   * True if it is used in a way that makes no sense for a single character: indexed, split into lines, compared with a
   * word, or given to a tool. Its container is then not a text.
   */
  noCharacter = false
  /**
   * True if it is used as text after a test that it is one, or as a key, which data rarely is. This does not count if
   * another use shows data.
   */
  textIfAny = false
  undecided = false
}

/**
 * The contents of values by key, with `*` for elements under an unknown key. All places that a value reaches share
 * them.
 */
class Inside {
  parent: Inside | undefined
  readonly places = new Map<string, Place>()

  root(): Inside {
    let root: Inside = this
    while (root.parent !== undefined) root = root.parent
    for (let x: Inside = this; x !== root; ) {
      const next: Inside = x.parent!
      x.parent = root
      x = next
    }
    return root
  }
}

/** The places of one program. `E` is the type of its expressions. */
export class ValueFlow<E, Question> {
  readonly #all: Place[] = []
  readonly #sources = new Map<E, Place>()
  readonly #looks = new Map<E, { readonly place: Place; readonly question: Question; readonly ofElements: boolean }>()

  place(): Place {
    const place = new Place()
    this.#all.push(place)
    return place
  }

  /** The place for a key, created on first use. */
  placeIn<K>(map: Map<K, Place>, key: K): Place {
    const known = map.get(key)
    if (known !== undefined) return known
    const made = this.place()
    map.set(key, made)
    return made
  }

  child(place: Place, key: string): Place {
    return this.placeIn(place.inside.root().places, key)
  }

  /** An element that the program takes out. Its use decides about the whole. */
  element(whole: Place, key = '*'): Place {
    const element = this.place()
    this.flow(this.child(whole, key), element)
    element.within.push(whole)
    return element
  }

  /** Some of the elements, in another container. */
  part(whole: Place): Place {
    const part = this.place()
    this.flow(this.element(whole), this.child(part, '*'))
    return part
  }

  flow(from: Place, to: Place): void {
    if (from === to) return
    join(from, to)
    const open: [Inside, Inside][] = [[from.inside, to.inside]]
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      // The smaller one is merged into the larger one.
      const [x, y] = [pair[0].root(), pair[1].root()]
      if (x === y) continue
      const [a, b] = x.places.size < y.places.size ? [y, x] : [x, y]
      b.parent = a
      for (const [key, place] of b.places) {
        const other = a.places.get(key)
        if (other === undefined) a.places.set(key, place)
        else {
          // Both have an element with this key.
          join(other, place)
          join(place, other)
          open.push([other.inside, place.inside])
        }
      }
    }
  }

  /** Records that this expression is the answer of a tool. */
  source(e: E, place: Place): void {
    this.#sources.set(e, place)
  }

  /**
   * Records an operation that depends on the kind of the value. `ofElements`: it depends on the kind only for the
   * elements, and if these are used as data, they are not characters.
   */
  look(e: E, place: Place, question: Question, ofElements: boolean): void {
    this.#looks.set(e, { place, question, ofElements })
  }

  /** The decisions. Must be called after all uses have been recorded. */
  readings(): Readings<E, Question> {
    const used = (bit: Bit): Place[] => this.#all.filter((place) => place[bit])
    spread(used('text'), 'text', (place) => place.from)
    spread(used('parsed'), 'parsed', (place) => place.from)
    spread(used('textIfAny'), 'textIfAny', (place) => place.from)
    spread(used('noCharacter'), 'noCharacter', (place) => place.from)
    for (const place of used('noCharacter')) for (const whole of place.within) whole.data = true
    spread(used('data'), 'data', (place) => [...place.from, ...place.within])
    const answers = new Map<E, 'text' | 'data'>()
    const open = used('undecided')
    for (const [e, place] of this.#sources) {
      const isText = place.text || ((place.parsed || place.textIfAny) && !place.data)
      if (isText !== place.data) answers.set(e, isText ? 'text' : 'data')
      else open.push(place)
    }
    spread(open, 'undecided', (place) => place.to)
    const questions = new Map<E, Question>()
    for (const [e, { place, question, ofElements }] of this.#looks)
      if (place.undecided && !(ofElements && place.inside.root().places.get('*')?.data)) questions.set(e, question)
    return { answers, questions }
  }
}

function join(from: Place, to: Place): void {
  from.to.push(to)
  to.from.push(from)
}

type Bit = 'text' | 'data' | 'parsed' | 'textIfAny' | 'noCharacter' | 'undecided'

/** Sets a bit in these places and in all places that `next` reaches from them. */
function spread(from: readonly Place[], bit: Bit, next: (place: Place) => readonly Place[]): void {
  const open = [...from]
  for (const place of open) place[bit] = true
  for (let place = open.pop(); place !== undefined; place = open.pop())
    for (const other of next(place)) {
      if (other[bit]) continue
      other[bit] = true
      open.push(other)
    }
}
