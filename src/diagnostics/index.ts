export {
  type CallMade,
  type Diagnostic,
  type DiagnosticClass,
  DiagnosticError,
  type Span,
  seenFrom,
  type TraceFrame,
} from './diagnostic.js'
export { nearestNames } from './nearest-names.js'
export { renderDiagnostic, renderDiagnostics } from './render.js'
export { describedText, joined, marked, type Said, said } from './said.js'
export { areMarks, type MarkedTexts, type MarkedValue, MOST_VALUES, shifted, withheld } from './values.js'
export { visible } from './visible.js'
