// The door of the room `page`: a person's page over HTTP, its interface, and the drawing of a run.

export { completionsAt } from './completion.js'
export { findingOf, markOf } from './findings.js'
export { Page, type PageOptions } from './page.js'
export { recording } from './recording.js'
export { runHtml } from './run-html.js'
export { runView } from './run-views.js'
