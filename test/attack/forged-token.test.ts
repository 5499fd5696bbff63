// Attack: access tokens that were not made for this gateway, are over, or were signed by nobody; and floods of tokens
// that make the gateway ask the authorization server for keys.

import { createHmac } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import { openTokenIssuer } from '../fixtures/token-issuer.js'
import { openGateway } from '../serving/callers.js'
import { message } from '../serving/modern-requests.js'

/** However long this machine takes. */
const stopTime = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())
afterEach(() => vi.restoreAllMocks())

const resource = 'https://mcp.example.com/mcp'

async function guarded() {
  const issuer = await openTokenIssuer('/team')
  const sold: string[] = []
  const { fetch } = await openGateway({
    servers: { shop: { inProcess: { sell: { call: () => sold.push('sold') } }, codeMode: false } },
    serve: { authorization: { issuers: [issuer.issuer], resource } },
  })
  /** The reason why a token opens nothing; undefined if it does. */
  const refusal = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch('/mcp', message('tools/call', { name: 'shop_sell' }, { headers }))
    const { error } = (await response.json()) as { error?: { message: string } }
    return error === undefined ? undefined : `${response.status}: ${error.message}`
  }
  return { issuer, sold, refusal }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

it('a token opens the gateway only if its issuer made it for the gateway and for now', async () => {
  const { issuer, sold, refusal } = await guarded()
  const good = { aud: resource }
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer.issuer, sub: 'ada', exp: now + 300, ...good }
  const [head, body, signature] = (await issuer.token(good)).split('.')
  const own = await generateKeyPair('ES256')
  const byUs = (header: object) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(own.privateKey)
  const secret = Buffer.from(JSON.stringify(issuer.jwk()))
  const hmacHead = `${part({ alg: 'HS256', kid: 'key-1' })}.${body}`
  const tokens = {
    'another audience': await issuer.token({ aud: 'https://other.example.com/mcp' }),
    'an audience that is longer': await issuer.token({ aud: `${resource}.evil.example` }),
    'no audience': await issuer.token({}),
    'a token that has expired': await issuer.token({ ...good, exp: now - 60 }),
    'a token that is not good yet': await issuer.token({ ...good, nbf: now + 600 }),
    'a token without an end': await issuer.token({ ...good, exp: undefined as never }),
    'a token of nobody': await issuer.token({ ...good, sub: '' }),
    'a subject without end': await issuer.token({ ...good, sub: 'a'.repeat(300) }),
    'another issuer': await issuer.token({ ...good, iss: 'https://evil.example/' }),
    'an issuer that is written otherwise': await issuer.token({ ...good, iss: `${issuer.issuer}/` }),
    'alg none': `${part({ alg: 'none' })}.${body}.`,
    'alg none with a signature': `${part({ alg: 'none', kid: 'key-1' })}.${body}.${signature}`,
    'the public key as a shared secret': `${hmacHead}.${createHmac('sha256', secret).update(hmacHead).digest('base64url')}`,
    'another body': `${head}.${part({ ...claims, sub: 'chief' })}.${signature}`,
    'a key of its own': await byUs({ kid: 'key-1' }),
    'a key in its header': await byUs({ jwk: issuer.jwk(), kid: 'key-1' }),
    'a header that is no JSON': `e30x.${body}.${signature}`,
    'a body that is no JSON': `${head}.e30x.${signature}`,
    'no signature': `${head}.${body}.`,
    'a long token': await issuer.token({ ...good, more: 'x'.repeat(7000) }),
  }
  const refusals = await Promise.all(
    Object.entries(tokens).map(async ([name, token]) => [name, await refusal(token)] as const),
  )
  const foreign = '401: the access token is not from an authorization server of this gateway'
  const [invalid, notForUs] = ['401: the access token is not valid', '401: the access token is not for this server']
  expect(Object.fromEntries(refusals)).toEqual({
    'another audience': notForUs,
    'an audience that is longer': notForUs,
    'no audience': notForUs,
    'a token that has expired': '401: the access token has expired',
    'a token that is not good yet': '401: the claim nbf of the access token is missing or wrong',
    'a token without an end': '401: the claim exp of the access token is missing or wrong',
    'a token of nobody': '401: the access token has no usable subject',
    'a subject without end': '401: the access token has no usable subject',
    'another issuer': foreign,
    'an issuer that is written otherwise': foreign,
    'alg none': invalid,
    'alg none with a signature': invalid,
    'the public key as a shared secret': invalid,
    'another body': invalid,
    'a key of its own': invalid,
    'a key in its header': invalid,
    'a header that is no JSON': invalid,
    'a body that is no JSON': foreign,
    'no signature': invalid,
    'a long token': '401: the access token is longer than 8192 characters',
  })
  expect([sold, await refusal(await issuer.token(good)), sold]).toEqual([['sold'], undefined, ['sold']])
  expect(issuer.asked).toEqual({ metadata: 1, keys: 1 })
})

it('floods of tokens with unknown keys cause one fetch', async () => {
  stopTime()
  const { issuer, refusal } = await guarded()
  const good = { aud: resource }
  expect(await refusal(await issuer.token(good))).toBe(undefined)
  const flood = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => refusal(await issuer.token(good, { kid: `unknown-${i}` }))),
  )
  expect(new Set(flood)).toEqual(new Set(['401: the access token is signed with an unknown key']))
  expect(issuer.asked).toEqual({ metadata: 1, keys: 1 })
})

it('an authorization server that fails is asked once, and callers are not sent to log in again', async () => {
  stopTime()
  const { issuer, refusal } = await guarded()
  issuer.instead.keys = () => '[]'
  const good = { aud: resource }
  const tokens = await Promise.all(Array.from({ length: 40 }, () => issuer.token(good)))
  const all = await Promise.all(tokens.map(refusal))
  expect(new Set(all)).toEqual(
    new Set([`503: the keys of ${issuer.issuer} can't be fetched: JSON Web Key Set malformed`]),
  )
  expect(await refusal(tokens[0]!)).toBe(all[0])
  expect(issuer.asked).toEqual({ metadata: 1, keys: 1 })
})

it('an authorization server that answers without end is not read to it', async () => {
  const { issuer, refusal } = await guarded()
  issuer.instead.keys = () => JSON.stringify({ keys: [issuer.jwk()], more: 'x'.repeat(300_000) })
  expect(await refusal(await issuer.token({ aud: resource }))).toBe(
    `503: the keys of ${issuer.issuer} can't be fetched: it sent a message of more than 0.3 MiB`,
  )
})
