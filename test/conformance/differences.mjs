// Where starbind differs from a third-party suite, and why. Every entry is a choice that the specification leaves open, or decides against the
// suite. A chunk that fails on other lines than these, or passes although it stands here, fails the test.

/** @typedef {{ readonly file: string, readonly chunk: number, readonly lines: readonly number[], readonly reason: string }} KnownDifference */

const utf16 =
  'The elements of a string are UTF-16 units (K = 16), as in the Java implementation; the chunk counts UTF-8 bytes (K = 8), as Go does. The specification allows both.'

/** @type {readonly KnownDifference[]} */
export const differences = [
  {
    file: 'starlark-go/eval/string.star',
    chunk: 1,
    lines: [31, 32, 44, 47, 53, 62, 70, 71, 74, 79, 83, 89, 93, 94, 132],
    reason: utf16,
  },
  { file: 'starlark-go/eval/bytes.star', chunk: 1, lines: [10], reason: utf16 },
  { file: 'starlark-go/eval/json.star', chunk: 1, lines: [26], reason: utf16 },
  {
    file: 'starlark-go/eval/bytes.star',
    chunk: 1,
    lines: [87, 88],
    reason: 'An element of bytes is an int, as the specification says; in Go it is bytes of length 1.',
  },
  {
    file: 'starlark-go/eval/builtins.star',
    chunk: 1,
    lines: [52],
    reason:
      'A value that cannot be a key is refused on the left of `in`, as in Java and Rust; Go answers False. The specification does not say.',
  },
  {
    file: 'starlark-go/eval/builtins.star',
    chunk: 1,
    lines: [199],
    reason: 'Sets have all 16 methods of the specification; Go lacks four of them, and the chunk lists them all.',
  },
  {
    file: 'starlark-go/eval/set.star',
    chunk: 1,
    lines: [266],
    reason: '`clear` fails on a frozen set, as the specification says; Go lets it pass when the set is empty.',
  },
  {
    file: 'starlark-go/eval/set.star',
    chunk: 1,
    lines: [284, 285, 286, 289, 290, 295, 296, 297, 300, 301],
    reason: 'Sets have no order: the specification makes `<`, `<=`, `>` and `>=` errors. In Go they test for subsets.',
  },
  {
    file: 'starlark-go/eval/misc.star',
    chunk: 56,
    lines: [62, 63, 78],
    reason:
      'A value is equal to itself without a look inside, as in Rust, so that comparing a cyclic value with itself does not fail. Comparing two cyclic values does. The specification does not say.',
  },
]
