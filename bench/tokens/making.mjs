// Makes the answers of the bench's upstreams, the same in every process.

import { createHash } from 'node:crypto'

const words = (
  'the page total order customer invoice shows wrong after import when file empty large value export list filter date ' +
  'button slow cache key token expires retry server returns error message field missing column sorted twice user signs in ' +
  'with old password reset link mail arrives late report month sum differs from account balance currency rounding'
).split(' ')

/** The i-th of a list, cyclically. */
export function pick(list, i) {
  return list[i % list.length]
}

export function last(list, n) {
  return list.slice(-n)
}

export function range(n) {
  return Array.from({ length: n }, (_, i) => i)
}

/** Forty hexadecimal digits. */
export function hash(i) {
  return createHash('sha1').update(String(i)).digest('hex')
}

/** Some words that look like a sentence. */
export function sentence(i, length) {
  const text = range(length)
    .map((j) => pick(words, i * 7 + j * (3 + (i % 5))))
    .join(' ')
  return text[0].toUpperCase() + text.slice(1)
}

/** A moment of 2026, `i` days after its first. */
export function day(i) {
  return new Date(Date.UTC(2026, 0, 1 + i, (i * 5) % 24, (i * 17) % 60)).toISOString().replace('.000', '')
}

/** The calls of a model in code mode: it searches, reads stubs, and runs programs. */
export function turns(query, fileNames, ...programs) {
  const files = [fileNames].flat()
  return [
    ['listToolFiles', { query }],
    ['readToolFile', files.length === 1 ? { fileName: files[0] } : { fileNames: files }],
    ...programs.map((code) => ['executeToolCode', { code }]),
  ]
}
