// Decides which mistakes are reported. Collects the mistakes with their places and the calls between functions, and
// decides at the end, when all calls are known. check.ts has the rules.
// Invariant: a frame is the body of a function or class, or the whole program. Certainty spreads only along calls that
// surely happen.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { DefStmt } from '../syntax/nodes.js'

export interface Frame {
  /** The named function whose body this is; undefined for lambdas, classes, methods and the program. */
  readonly fn: DefStmt | undefined
  readonly isProgram: boolean
  /** Functions that are surely called when the body runs. */
  readonly surelyCalls: Set<DefStmt>
  /** Functions that may be called from here. */
  readonly mayCall: Set<DefStmt>
  /** True if a call only creates a generator, whose body runs later. */
  runsLater: boolean
}

interface Candidate {
  readonly diagnostic: Diagnostic
  readonly frame: Frame
  /** True if the text of a tool call alone shows the mistake. Such a mistake is reported wherever it stands. */
  readonly plain: boolean
  /** True if a run of the frame surely reaches this place. */
  readonly certain: boolean
}

export class Report {
  readonly #candidates = new Map<string, Candidate>()
  /** Remarks by place, one for each. */
  readonly #remarks = new Map<string, Diagnostic>()
  readonly #frames: Frame[] = []
  /** Functions that may be called from places where exceptions are caught. */
  readonly #guarded = new Set<DefStmt>()
  #catches = false
  #exits = false

  openFrame(fn: DefStmt | undefined, isProgram: boolean): Frame {
    const frame: Frame = { fn, isProgram, surelyCalls: new Set(), mayCall: new Set(), runsLater: false }
    this.#frames.push(frame)
    return frame
  }

  /** Records that the program catches exceptions somewhere. */
  catches(): void {
    this.#catches = true
  }

  /** Records that the program may exit before its last line. */
  exits(): void {
    this.#exits = true
  }

  guarded(fn: DefStmt): void {
    this.#guarded.add(fn)
  }

  add(candidate: Candidate): void {
    const { code, span } = candidate.diagnostic
    const key = `${code} ${span?.line}:${span?.column} ${candidate.diagnostic.message}`
    if (!this.#candidates.has(key)) this.#candidates.set(key, candidate)
  }

  /** Adds a remark, which is reported wherever it stands. */
  remark(diagnostic: Diagnostic): void {
    const { span } = diagnostic
    this.#remarks.set(`${span?.line}:${span?.column}`, diagnostic)
  }

  /** Mistakes refuse the program; warnings and remarks do not. Each list is in the order of the text. */
  decide(): { readonly mistakes: Diagnostic[]; readonly warnings: Diagnostic[]; readonly remarks: Diagnostic[] } {
    const certain = this.#exits ? new Set<DefStmt>() : this.#certainFunctions()
    const guarded = this.#guardedFunctions()
    const mistakes: Diagnostic[] = []
    const warnings: Diagnostic[] = []
    for (const { diagnostic, frame, plain, certain: here } of this.#candidates.values()) {
      const runs = frame.isProgram ? !this.#exits : frame.fn !== undefined && certain.has(frame.fn) && !frame.runsLater
      if (here && runs) mistakes.push(diagnostic)
      else if (this.#mayBeCaught(frame, guarded)) continue
      else (plain ? mistakes : warnings).push(diagnostic)
    }
    return { mistakes: inOrder(mistakes), warnings: inOrder(warnings), remarks: inOrder([...this.#remarks.values()]) }
  }

  #mayBeCaught(frame: Frame, guarded: ReadonlySet<DefStmt>): boolean {
    return this.#catches && !frame.isProgram && (frame.fn === undefined || guarded.has(frame.fn))
  }

  #certainFunctions(): Set<DefStmt> {
    const frameOf = new Map(this.#frames.map((frame) => [frame.fn, frame]))
    const found = new Set<DefStmt>()
    const open = this.#frames.filter((frame) => frame.isProgram)
    while (open.length > 0) {
      for (const fn of open.pop()!.surelyCalls) {
        const frame = frameOf.get(fn)
        if (found.has(fn) || frame === undefined || frame.runsLater) continue
        found.add(fn)
        open.push(frame)
      }
    }
    return found
  }

  #guardedFunctions(): Set<DefStmt> {
    const frameOf = new Map(this.#frames.map((frame) => [frame.fn, frame]))
    const found = new Set(this.#guarded)
    const open = [...found]
    // Functions without a name may be called from anywhere.
    if (this.#catches)
      for (const frame of this.#frames) if (frame.fn === undefined && !frame.isProgram) open.push(...frame.mayCall)
    while (open.length > 0) {
      const fn = open.pop()!
      found.add(fn)
      for (const inner of frameOf.get(fn)?.mayCall ?? []) if (!found.has(inner)) open.push(inner)
    }
    return found
  }
}

function inOrder(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.sort(
    (a, b) => (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0),
  )
}
