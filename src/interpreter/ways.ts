// Traces where the answers of tools get to in a program, and how it uses them. A tool whose answer is one text that is
// a JSON object or list may mean the text (a file reader) or the data (an API), and nothing in the protocol tells them
// apart. The program's use does. Each language describes its places, how values flow between them, and what uses imply;
// this file propagates.
//
// Three facts propagate: from uses back to calls, "used as text" and "used as data"; from calls forward, "may be an
// undecided answer". Each is a bit that is set once, so the work is linear in the size of the program.
// Invariant: only the program's use counts; without one, or with both, the answer is undecided, and operations that
// depend on it ask.

/** What the program takes answers for, by the expressions of its language. */
export interface Readings<E, Question> {
  /** What the answer is for the program, where this expression is where it comes from. */
  readonly answers: ReadonlyMap<E, 'text' | 'data'>
  /** Operands that may be undecided answers when it matters. */
  readonly questions: ReadonlyMap<E, Question>
}

/** A place where values are: a variable, an expression, an element of a container. */
export class Place {
  /** Where its values go on to, and where they come from. */
  readonly to: Place[] = []
  readonly from: Place[] = []
  /** What it is an element of: a use of the element as data is one of the whole. */
  readonly within: Place[] = []
  inside = new Inside()
  text = false
  data = false
  /**
   * Parsed as JSON: it is a text, unless the program takes it for data otherwise. Then it parses what may be a text.
   */
  parsed = false
  /**
   * Used as nobody uses a single character: indexed, split into lines, compared with a word, given to a tool. What it is
   * an element of is no text then.
   */
  noCharacter = false
  /**
   * Used as text where the program has asked whether it is one, or as data hardly is, as a key: that says nothing where
   * it is data elsewhere.
   */
  textIfAny = false
  undecided = false
}

/** What values hold: by key, `*` for elements whose key is not known. Shared by all places that a value gets to. */
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

/** The places of one program. `E`: expressions of its language. */
export class Ways<E, Question> {
  readonly #all: Place[] = []
  readonly #sources = new Map<E, Place>()
  readonly #looks = new Map<E, { readonly place: Place; readonly question: Question; readonly ofElements: boolean }>()

  place(): Place {
    const place = new Place()
    this.#all.push(place)
    return place
  }

  /** The place under a key, made when it is asked for first. */
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

  /** An element, as the program takes it out: what it does with it says what the whole is. */
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
      // What holds less is put into what holds more.
      const [x, y] = [pair[0].root(), pair[1].root()]
      if (x === y) continue
      const [a, b] = x.places.size < y.places.size ? [y, x] : [x, y]
      b.parent = a
      for (const [key, place] of b.places) {
        const other = a.places.get(key)
        if (other === undefined) a.places.set(key, place)
        else {
          // One element under two names.
          join(other, place)
          join(place, other)
          open.push([other.inside, place.inside])
        }
      }
    }
  }

  /** The answer of a tool comes from this expression. */
  source(e: E, place: Place): void {
    this.#sources.set(e, place)
  }

  /**
   * Here it matters what the value is. `ofElements`: it matters for elements alone, and who uses them as data has said
   * that they are no characters.
   */
  look(e: E, place: Place, question: Question, ofElements: boolean): void {
    this.#looks.set(e, { place, question, ofElements })
  }

  /** To be asked when everything has been said. */
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

/** Sets a bit wherever it gets to. */
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
