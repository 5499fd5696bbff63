// The configuration's zod schemas. Each `error` names the expected value. Rules across keys are checked elsewhere.

import { z } from 'zod'
import { builtinNames } from '../../builtin/index.js'
import { type Limits, limitNames } from '../../sandbox/index.js'
import { approvalRule } from '../approval-policy.js'
import { isOfConnection } from '../passed-headers.js'
import { agentsEntry } from './agents.js'
import type { CodeModeEntry, CodeModeSettings, ServerEntry } from './configuration.js'
import { type InProcess, isInProcess } from './in-process.js'
import { modelsEntry } from './models.js'
import { codeModeUse, serveEntry, worldUse } from './serving.js'

const text = z.string({ error: 'a string' })
const someText = text.min(1, { error: 'a string that is not empty' })
const texts = z.record(z.string(), text, { error: 'an object whose values are strings' })
const toolNames = z.array(text, { error: 'a list of tool names' })
const yesOrNo = z.boolean({ error: 'true or false' })
const level = z.enum(['server', 'tool'], { error: '"server" or "tool"' })
const milliseconds = z.int({ error: 'a whole number of milliseconds' }).min(1, { error: 'at least 1 millisecond' })
const millisecondsOrNever = z.int({ error: 'a whole number of milliseconds' }).min(0, { error: 'at least 0' })
const amount = z.int({ error: 'a whole number' })
const atLeastOne = amount.min(1, { error: 'at least 1' })
const resultsForm = z.enum(['text', 'json', 'auto'], { error: '"text", "json" or "auto"' })
const toolEntry = z.strictObject(
  { timeoutMs: milliseconds.optional(), results: resultsForm.optional() },
  { error: 'an object that describes one tool' },
)

const oauthEntry = z.strictObject(
  {
    clientId: someText.optional(),
    clientSecret: someText.optional(),
    clientMetadataUrl: someText.optional(),
    grant: z
      .enum(['authorization_code', 'client_credentials'], { error: '"authorization_code" or "client_credentials"' })
      .optional(),
    issuer: someText.refine((url) => URL.canParse(url), { error: 'a URL' }).optional(),
    privateKey: someText.optional(),
    algorithm: someText.optional(),
    scopes: z.array(someText, { error: 'a list of strings' }).optional(),
    callbackPort: z.int({ error: 'a port' }).min(1, { error: 'a port' }).max(65_535, { error: 'a port' }).optional(),
  },
  { error: 'an object' },
)

const passedHeader = z
  .string({ error: 'a header name' })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'a header name' })
  .refine((name) => !isOfConnection(name), { error: 'a header that does not belong to the connection itself' })

const serverEntry: z.ZodObject<{ [K in keyof ServerEntry]-?: z.ZodType<ServerEntry[K]> }> = z.strictObject(
  {
    type: z.enum(['stdio', 'http', 'streamable-http', 'sse'], { error: '"stdio", "http" or "sse"' }).optional(),
    command: someText.optional(),
    args: z.array(text, { error: 'a list of strings' }).optional(),
    env: texts.optional(),
    envFile: someText.optional(),
    cwd: someText.optional(),
    url: someText.optional(),
    headers: texts.optional(),
    bearerToken: someText.optional(),
    passHeaders: z.array(passedHeader, { error: 'a list of header names' }).optional(),
    oauth: oauthEntry.optional(),
    builtin: z.enum(builtinNames, { error: builtinNames.map((name) => JSON.stringify(name)).join(' or ') }).optional(),
    root: someText.optional(),
    write: yesOrNo.optional(),
    exclude: z.array(someText, { error: 'a list of patterns' }).optional(),
    inProcess: z
      .custom<InProcess>(isInProcess, {
        error: 'tools with a function call, or a server or client object of the MCP SDK',
      })
      .optional(),
    codeMode: codeModeUse.optional(),
    bindingLevel: level.optional(),
    toolsToExecute: toolNames.optional(),
    toolsToAutoExecute: toolNames.optional(),
    toolsToDeny: toolNames.optional(),
    approve: approvalRule.optional(),
    timeoutMs: milliseconds.optional(),
    results: resultsForm.optional(),
    tools: z.record(z.string(), toolEntry, { error: 'an object with one entry for each tool' }).optional(),
    callsAtOnce: atLeastOne.optional(),
    reads: toolNames.optional(),
    writes: toolNames.optional(),
    readAhead: yesOrNo.optional(),
    resources: yesOrNo.optional(),
    prompts: yesOrNo.optional(),
    disabled: yesOrNo.optional(),
    lazy: yesOrNo.optional(),
    idleMs: milliseconds.optional(),
    pingMs: millisecondsOrNever.optional(),
    pollMs: millisecondsOrNever.optional(),
    connectTimeoutMs: milliseconds.optional(),
    maxBytes: amount.min(65_536, { error: 'at least 65,536 bytes' }).optional(),
    roots: z.array(someText, { error: 'a list of folders' }).optional(),
    protocol: z.enum(['auto', '2025', '2026'], { error: '"auto", "2025" or "2026"' }).optional(),
  },
  { error: 'an object that describes one server' },
)

const limitsEntry = z.strictObject(
  Object.fromEntries(limitNames.map((name) => [name, amount.optional()])) as Record<
    keyof Limits,
    z.ZodOptional<typeof amount>
  >,
  { error: 'an object' },
)

export const stubsEntry = z.strictObject(
  {
    descriptionLength: amount.min(0, { error: 'at least 0' }).optional(),
    observationsFile: someText.optional(),
    observedValues: amount.min(0, { error: 'at least 0' }).max(100, { error: 'at most 100' }).optional(),
  },
  { error: 'an object' },
)

const days = z.number({ error: 'a number of days' }).positive({ error: 'more than 0 days' })

const settings: { [K in keyof CodeModeSettings]-?: z.ZodType<CodeModeSettings[K]> } = {
  bindingLevel: level.optional(),
  language: z.enum(['starlark', 'javascript'], { error: '"starlark" or "javascript"' }).optional(),
  strict: yesOrNo.optional(),
  ...worldUse,
  connectTimeoutMs: milliseconds.optional(),
  callTimeoutMs: milliseconds.optional(),
  resultForm: resultsForm.optional(),
  callsAtOnce: atLeastOne.optional(),
  readAhead: yesOrNo.optional(),
  coalesceReads: yesOrNo.optional(),
  approve: approvalRule.optional(),
  approvalHours: z.number({ error: 'a number of hours' }).positive({ error: 'more than 0 hours' }).optional(),
  state: z.union([someText, z.literal(false)], { error: 'a folder or false' }).optional(),
  stateDays: days.optional(),
  stateBytes: atLeastOne.optional(),
  keepArguments: yesOrNo.optional(),
  programs: z.union([someText, z.literal(false)], { error: 'a folder or false' }).optional(),
  isolation: z.enum(['thread', 'process'], { error: '"thread" or "process"' }).optional(),
}

export const codeModeSettingNames = Object.keys(settings) as (keyof CodeModeSettings)[]

const codeModeEntry: z.ZodObject<{ [K in keyof CodeModeEntry]-?: z.ZodType<CodeModeEntry[K]> }> = z.strictObject(
  {
    ...settings,
    limits: limitsEntry.optional(),
    answer: z
      .strictObject(
        { maxChars: amount.min(500, { error: 'at least 500' }).optional(), structured: yesOrNo.optional() },
        { error: 'an object' },
      )
      .optional(),
    stubs: stubsEntry.optional(),
    results: z
      .strictObject(
        { maxBytes: atLeastOne.optional(), maxFiles: atLeastOne.optional(), maxDays: days.optional() },
        { error: 'an object' },
      )
      .optional(),
    roots: z.array(someText, { error: 'a list of folders' }).optional(),
  },
  { error: 'an object' },
)

export const configurationEntry = z.strictObject(
  {
    $schema: text.optional(),
    mcpServers: z.record(z.string(), serverEntry, { error: 'an object with one entry for each server' }).optional(),
    codeMode: codeModeEntry.optional(),
    serve: serveEntry.optional(),
    models: modelsEntry.optional(),
    agents: agentsEntry.optional(),
  },
  { error: 'an object with the key mcpServers' },
)

/** The known keys at a place of the file; empty if any key is allowed. */
export function knownKeys(key: readonly PropertyKey[]): readonly string[] {
  const schema = key.reduce<z.ZodType | undefined>(schemaWithin, configurationEntry)
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  // Keys that a file can't hold are not suggested to authors of files.
  return keys.filter((key) => key !== 'inProcess')
}

function schemaWithin(schema: z.ZodType | undefined, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord) return bare(schema.valueType as z.ZodType)
  if (schema instanceof z.ZodArray) return bare(schema.element as z.ZodType)
  return schema instanceof z.ZodObject ? bare(schema.shape[String(key)] as z.ZodType | undefined) : undefined
}

function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
}
