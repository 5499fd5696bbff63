// The door of the room `page`: a person's page over HTTP, its interface, and the drawing of a run.

export { type CompletionOptions, completionsAt } from './completion.js'
export { findingOf, type Mark, markOf } from './findings.js'
export type { Run } from './interface.js'
export { Page, type PageOptions } from './page.js'
export { recording } from './recording.js'
export { runHtml } from './run-html.js'
export { runView } from './run-views.js'
