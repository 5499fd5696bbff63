// The module `html`: `escape` and `unescape`. Of the names of characters those of HTML 4 are known, which is what escaped text uses.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { truth } from '../operators/membership.js'
import { type Module, module } from './module.js'

// Names in the order of their code points, from 160 on.
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const OTHERS: Record<string, number> = {
  quot: 34,
  amp: 38,
  apos: 39,
  lt: 60,
  gt: 62,
  OElig: 338,
  oelig: 339,
  Scaron: 352,
  scaron: 353,
  Yuml: 376,
  fnof: 402,
  circ: 710,
  tilde: 732,
  Alpha: 913,
  Beta: 914,
  Gamma: 915,
  Delta: 916,
  Epsilon: 917,
  Zeta: 918,
  Eta: 919,
  Theta: 920,
  Iota: 921,
  Kappa: 922,
  Lambda: 923,
  Mu: 924,
  Nu: 925,
  Xi: 926,
  Omicron: 927,
  Pi: 928,
  Rho: 929,
  Sigma: 931,
  Tau: 932,
  Upsilon: 933,
  Phi: 934,
  Chi: 935,
  Psi: 936,
  Omega: 937,
  alpha: 945,
  beta: 946,
  gamma: 947,
  delta: 948,
  epsilon: 949,
  zeta: 950,
  eta: 951,
  theta: 952,
  iota: 953,
  kappa: 954,
  lambda: 955,
  mu: 956,
  nu: 957,
  xi: 958,
  omicron: 959,
  pi: 960,
  rho: 961,
  sigmaf: 962,
  sigma: 963,
  tau: 964,
  upsilon: 965,
  phi: 966,
  chi: 967,
  psi: 968,
  omega: 969,
  thetasym: 977,
  upsih: 978,
  piv: 982,
  ensp: 8194,
  emsp: 8195,
  thinsp: 8201,
  zwnj: 8204,
  zwj: 8205,
  lrm: 8206,
  rlm: 8207,
  ndash: 8211,
  mdash: 8212,
  lsquo: 8216,
  rsquo: 8217,
  sbquo: 8218,
  ldquo: 8220,
  rdquo: 8221,
  bdquo: 8222,
  dagger: 8224,
  Dagger: 8225,
  bull: 8226,
  hellip: 8230,
  permil: 8240,
  prime: 8242,
  Prime: 8243,
  lsaquo: 8249,
  rsaquo: 8250,
  oline: 8254,
  frasl: 8260,
  euro: 8364,
  image: 8465,
  weierp: 8472,
  real: 8476,
  trade: 8482,
  alefsym: 8501,
  larr: 8592,
  uarr: 8593,
  rarr: 8594,
  darr: 8595,
  harr: 8596,
  crarr: 8629,
  lArr: 8656,
  uArr: 8657,
  rArr: 8658,
  dArr: 8659,
  hArr: 8660,
  forall: 8704,
  part: 8706,
  exist: 8707,
  empty: 8709,
  nabla: 8711,
  isin: 8712,
  notin: 8713,
  ni: 8715,
  prod: 8719,
  sum: 8721,
  minus: 8722,
  lowast: 8727,
  radic: 8730,
  prop: 8733,
  infin: 8734,
  ang: 8736,
  and: 8743,
  or: 8744,
  cap: 8745,
  cup: 8746,
  int: 8747,
  there4: 8756,
  sim: 8764,
  cong: 8773,
  asymp: 8776,
  ne: 8800,
  equiv: 8801,
  le: 8804,
  ge: 8805,
  sub: 8834,
  sup: 8835,
  nsub: 8836,
  sube: 8838,
  supe: 8839,
  oplus: 8853,
  otimes: 8855,
  perp: 8869,
  sdot: 8901,
  lceil: 8968,
  rceil: 8969,
  lfloor: 8970,
  rfloor: 8971,
  lang: 10216,
  rang: 10217,
  loz: 9674,
  spades: 9824,
  clubs: 9827,
  hearts: 9829,
  diams: 9830,
}
const LATIN_NAMES = LATIN.split(' ')
// Names of HTML 4's first part are known without their semicolon too.
const BARE = new Set([...LATIN_NAMES, 'quot', 'amp', 'lt', 'gt'])

function named(name: string): string | undefined {
  const at = LATIN_NAMES.indexOf(name)
  const code = at >= 0 ? 160 + at : Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined
  return code === undefined ? undefined : String.fromCodePoint(code)
}

// What browsers make of numbers that mean the controls of Windows' code page.
const WINDOWS =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

function numbered(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return '\ufffd'
  if (code >= 0x80 && code < 0xa0) return WINDOWS[code - 0x80]!
  if (code === 13) return '\r'
  const invalid =
    (code < 32 && code !== 9 && code !== 10 && code !== 12) ||
    code === 127 ||
    (code & 0xfffe) === 0xfffe ||
    (code >= 0xfdd0 && code <= 0xfdef)
  return invalid ? '' : String.fromCodePoint(code)
}

/** The text with the characters in place that it names. */
export function unescapeHtml(text: string): string {
  if (text.indexOf('&') < 0) return text
  return text.replace(/&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g, (all: string, body: string) => {
    if (body[0] === '#') {
      const hex = body[1] === 'x' || body[1] === 'X'
      return numbered(body.slice(hex ? 2 : 1).replace(';', ''), hex ? 16 : 10)
    }
    const closed = body.endsWith(';')
    const name = closed ? body.slice(0, -1) : body
    const whole = closed || BARE.has(name) ? named(name) : undefined
    if (whole !== undefined) return whole
    for (let n = name.length; n > 1; n--) {
      const part = name.slice(0, n)
      if (BARE.has(part)) return named(part)! + body.slice(n)
    }
    return all
  })
}

export const html: Module = module('html', {
  escape: builtin('escape', 's, quote=', (s, quote) => {
    const text = wantString(s, 'escape', 's').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    return quote === undefined || truth(quote) ? text.replace(/"/g, '&quot;').replace(/'/g, '&#x27;') : text
  }),
  unescape: builtin('unescape', 's', (s) => unescapeHtml(wantString(s, 'unescape', 's'))),
})
