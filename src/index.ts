// The library's door; `library/` implements it.

export * from './library/index.js'
