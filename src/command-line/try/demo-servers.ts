// The servers of `starbind try`: the support desk of a small company with a fixed set of 60 tickets, as functions of
// this process, and the built-in servers over a table of what customers have paid. Changes live as long as the process.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { InProcessTool, InProcessTools, ServerEntry } from '../../index.js'

interface Ticket {
  readonly id: number
  readonly customer: string
  readonly team: string
  readonly subject: string
  readonly opened: string
  readonly priority: 'low' | 'normal' | 'high'
  state: 'open' | 'closed'
  readonly comments: string[]
}

const TEAMS = ['billing', 'delivery', 'returns']
const CUSTOMERS = ['Anna Berg', 'Chidi Okafor', 'Dana Levi', 'Emil Novak', 'Farah Aziz', 'Greta Lind', 'Hugo Silva']
const SUBJECTS = [
  'charged twice',
  'parcel is late',
  'wrong colour',
  'no invoice',
  'broken on arrival',
  'voucher not taken',
]
const PEOPLE = [
  { name: 'Ines', email: 'ines@example.com', team: 'billing', onDuty: true },
  { name: 'Jonas', email: 'jonas@example.com', team: 'billing', onDuty: false },
  { name: 'Kira', email: 'kira@example.com', team: 'delivery', onDuty: true },
  { name: 'Luis', email: 'luis@example.com', team: 'returns', onDuty: true },
  { name: 'Mina', email: 'mina@example.com', team: 'returns', onDuty: false },
]
const PER_PAGE = 20

function allTickets(): Ticket[] {
  return Array.from({ length: 60 }, (_, i) => ({
    id: 101 + i,
    customer: CUSTOMERS[(i * 5) % CUSTOMERS.length]!,
    team: TEAMS[(i * 7 + Math.floor(i / 4)) % TEAMS.length]!,
    subject: SUBJECTS[(i * 11) % SUBJECTS.length]!,
    opened: new Date(Date.UTC(2026, 2, 1 + Math.floor((i * 13) % 45))).toISOString().slice(0, 10),
    priority: i % 9 === 4 ? 'high' : i % 4 === 0 ? 'low' : 'normal',
    state: i % 5 === 1 ? 'closed' : 'open',
    comments: [],
  }))
}

/** A new support desk: tickets, people, notes, and `files`, with `sql` where its package is there, over the folder. */
export function demoServers(folder: string): Readonly<Record<string, ServerEntry>> {
  const tickets = allTickets()
  writeFileSync(path.join(folder, 'payments.csv'), paymentsOf(tickets))
  return {
    tickets: { inProcess: ticketTools(tickets) },
    people: { inProcess: peopleTools() },
    notes: { inProcess: noteTools(new Map()) },
    files: { builtin: 'files', root: folder },
    ...(hasSql() ? { sql: { builtin: 'sql', root: folder } } : {}),
  }
}

/** Whether the optional package of the built-in server `sql` is installed. */
export function hasSql(): boolean {
  try {
    return createRequire(import.meta.url).resolve('@duckdb/node-api') !== ''
  } catch {
    return false
  }
}

/** Two payments for each ticket, in whole euros. */
function paymentsOf(tickets: readonly Ticket[]): string {
  const lines = tickets.flatMap(({ id }) => [`${id},${5 + ((id * 37) % 90)}`, `${id},${1 + ((id * 13) % 20)}`])
  return `ticket,euros\n${lines.join('\n')}\n`
}

const object = (properties: object, ...required: readonly string[]) => ({ type: 'object', properties, required })
const text = { type: 'string' }
const state = { enum: ['open', 'closed'] }
const ticket = object(
  {
    id: { type: 'integer' },
    customer: text,
    team: text,
    subject: text,
    opened: { type: 'string', format: 'date' },
    priority: { enum: ['low', 'normal', 'high'] },
    state,
  },
  ...['id', 'customer', 'team', 'subject', 'opened', 'priority', 'state'],
)
const readOnly = { readOnlyHint: true }

function ticketTools(tickets: Ticket[]): InProcessTools {
  const find = (id: number): Ticket => {
    const found = tickets.find((one) => one.id === id)
    if (found === undefined) throw new Error(`there is no ticket ${id}`)
    return found
  }
  return {
    list: tool<{ state?: string; page?: number }>({
      description: `Tickets, ${PER_PAGE} on each page, oldest number first. nextPage is null on the last page.`,
      inputSchema: object({ state, page: { type: 'integer', minimum: 1, default: 1 } }),
      outputSchema: object(
        { tickets: { type: 'array', items: ticket }, nextPage: { type: ['integer', 'null'] } },
        'tickets',
        'nextPage',
      ),
      annotations: readOnly,
      call({ state, page = 1 }) {
        const matching = tickets.filter((one) => state === undefined || one.state === state)
        const shown = matching.slice((page - 1) * PER_PAGE, page * PER_PAGE)
        return {
          tickets: shown.map(({ comments, ...rest }) => rest),
          nextPage: page * PER_PAGE < matching.length ? page + 1 : null,
        }
      },
    }),
    get: tool<{ id: number }>({
      description: 'One ticket, with its comments.',
      inputSchema: object({ id: { type: 'integer' } }, 'id'),
      annotations: readOnly,
      call: ({ id }) => find(id),
    }),
    comment: tool<{ id: number; text: string }>({
      description: 'Adds a comment to a ticket.',
      inputSchema: object({ id: { type: 'integer' }, text }, 'id', 'text'),
      call({ id, text }) {
        find(id).comments.push(text)
        return `commented on ticket ${id}`
      },
    }),
  }
}

function peopleTools(): InProcessTools {
  return {
    on_duty: tool<{ team: string }>({
      description: 'Who answers for a team today.',
      inputSchema: object({ team: { enum: TEAMS } }, 'team'),
      outputSchema: object({ name: text, email: text }, 'name', 'email'),
      annotations: readOnly,
      call({ team }) {
        const { name, email } = PEOPLE.find((one) => one.team === team && one.onDuty)!
        return { name, email }
      },
    }),
    find: tool<{ name: string }>({
      description: 'People whose name contains a text.',
      inputSchema: object({ name: text }, 'name'),
      annotations: readOnly,
      call: ({ name }) => PEOPLE.filter((one) => one.name.toLowerCase().includes(name.toLowerCase())),
    }),
  }
}

function noteTools(notes: Map<string, string>): InProcessTools {
  return {
    write: tool<{ title: string; text: string }>({
      description: 'Writes a note. A note of the same title is replaced.',
      inputSchema: object({ title: text, text }, 'title', 'text'),
      annotations: { idempotentHint: true, destructiveHint: true },
      call({ title, text }) {
        notes.set(title, text)
        return `wrote ${title}`
      },
    }),
    read: tool<{ title: string }>({
      description: 'The text of a note.',
      inputSchema: object({ title: text }, 'title'),
      annotations: readOnly,
      call({ title }) {
        const found = notes.get(title)
        if (found === undefined) throw new Error(`there is no note ${title}`)
        return found
      },
    }),
    list: tool({
      description: 'The titles of all notes.',
      inputSchema: object({}),
      outputSchema: { type: 'array', items: text },
      annotations: readOnly,
      call: () => [...notes.keys()],
    }),
  }
}

/** A tool whose schema vouches for the type of its arguments. */
function tool<A>(definition: Omit<InProcessTool, 'call'> & { call(args: A): unknown }): InProcessTool {
  return definition as InProcessTool
}
