// The library's door; what there is behind it, `library/` knows.

export * from './library/index.js'
