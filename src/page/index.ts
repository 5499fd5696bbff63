// The door of the room `page`: a person's page over HTTP, its interface, and the drawing of a run.

export { Page, type PageOptions } from './page.js'
