// Which hosts and addresses may be reached.
// Invariant: an address of a private or reserved range is reached only if the list names it, or its block.

import { BlockList, isIP, isIPv4 } from 'node:net'

/** Ranges of IPv4 that are not the public internet. */
const RESERVED_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Of IPv6 the other way round: the public range, and what is reserved or leads elsewhere within it. */
const PUBLIC_6 = '2000::/3'
const RESERVED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const NAME =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?\.)*[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u

interface Pattern {
  /** A name in lower case, without `*`; or an address. */
  readonly host: string
  readonly isBelow: boolean
  /** Absent: the usual one of the scheme. */
  readonly port: string | undefined
}

interface Block {
  readonly address: string
  readonly bits: number
}

function blockOf(text: string): Block | undefined {
  const [, address = '', bits] = /^([\d.]+|[\da-f:.]*:[\da-f:.]*)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  const count = bits === undefined ? most : Number(bits)
  return most > 0 && count <= most ? { address, bits: count } : undefined
}

function patternOf(text: string): Pattern | undefined {
  const [, host = '', port] = /^(\[[\da-f:.]+\]|[^:[\]/]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  const bare = host.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return { host: bare.toLowerCase(), isBelow: false, port }
  // The end of a name tells it from an address, however that is written.
  if (!NAME.test(host) || /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(host)) return undefined
  const isBelow = host.startsWith('*.')
  const name = isBelow ? host.slice(2) : host
  return { host: new URL(`http://${name}`).hostname, isBelow, port }
}

/** True for `example.com`, `*.example.com`, `h:8080`, `10.0.0.1`, `10.0.0.0/8`, `[::1]:8080`. */
export function isHostPattern(text: string): boolean {
  return blockOf(text) !== undefined || patternOf(text) !== undefined
}

export class Hosts {
  readonly #patterns: readonly Pattern[]
  readonly #listed = new BlockList()
  readonly #reserved = listOf([...RESERVED_4, ...RESERVED_6])
  readonly #public6 = listOf([PUBLIC_6])
  /** As the list was written. */
  readonly words: string

  constructor(texts: readonly string[]) {
    this.words = texts.join(', ')
    const blocks = texts.map(blockOf)
    this.#patterns = texts.flatMap((text, i) => (blocks[i] === undefined ? (patternOf(text) ?? []) : []))
    for (const block of blocks) if (block !== undefined) add(this.#listed, block)
    for (const { host } of this.#patterns) if (isIP(host) !== 0) add(this.#listed, blockOf(host)!)
  }

  /** Whether a URL may be asked for; where a name leads is checked when it is known. */
  permits({ hostname, port, protocol }: URL): boolean {
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const usual = port === ''
    if (
      this.#patterns.some(
        (one) => this.#isOf(one, host) && (one.port === undefined ? usual : isPort(one.port, port, protocol)),
      )
    )
      return true
    return usual && isIP(host) !== 0 && isIn(this.#listed, host)
  }

  permitsAddress(address: string): boolean {
    return isIn(this.#listed, address) || !this.#isReserved(address)
  }

  #isOf({ host, isBelow }: Pattern, given: string): boolean {
    return isBelow ? given.endsWith(`.${host}`) : given === host
  }

  #isReserved(address: string): boolean {
    if (isIPv4(address)) return isIn(this.#reserved, address)
    // An address of IPv4 in one of IPv6 is outside of the public range, too.
    return !isIn(this.#public6, address) || isIn(this.#reserved, address)
  }
}

function isPort(listed: string, given: string, protocol: string): boolean {
  return listed === (given || (protocol === 'https:' ? '443' : '80'))
}

function listOf(blocks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const block of blocks) add(list, blockOf(block)!)
  return list
}

function add(list: BlockList, { address, bits }: Block): void {
  list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
