// The options that several commands have, and how their values are read.

import { InvalidArgumentError, Option } from 'commander'

/** `--clock`: may programs know when they began? */
export function clockOption(): Option {
  return new Option('--clock <use>', 'run: the program may know when it began (default: as configured)').choices([
    'none',
    'run',
  ])
}

/** `--random`: may programs draw random numbers? */
export function randomOption(): Option {
  return new Option('--random <use>', 'seeded: the program may draw random numbers (default: as configured)').choices([
    'none',
    'seeded',
  ])
}

/** `--memory`: may programs keep values? */
export function memoryOption(): Option {
  return new Option(
    '--memory <use>',
    'session: what the program stores with memory.set is there for later runs (default: as configured)',
  ).choices(['none', 'session'])
}

/** `--read-only`: which tools are there? */
export function readOnlyOption(): Option {
  return new Option(
    '--read-only',
    'refuse the program if it can call a tool that its server does not declare read-only',
  )
}

/** `--language`, for commands that take a program. */
export function languageOption(): Option {
  return new Option('--language <name>', 'of the program (default: by the file name, else by the text)').choices([
    'starlark',
    'javascript',
  ])
}

/** Reads ISO text as milliseconds since 1970. */
export function moment(text: string): number {
  const ms = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(ms)) throw new InvalidArgumentError('Write 2026-01-31T12:00:00Z.')
  return ms
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Write a whole number.')
  return Number(text)
}

/** A whole number of at least 1. */
export function someNumber(text: string): number {
  if (wholeNumber(text) === 0) throw new InvalidArgumentError('Write a number of at least 1.')
  return Number(text)
}

export function number(text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Write a number.')
  return Number(text)
}

/** Reads 500ms, 5s and 2m as milliseconds; a bare number is seconds. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text)
  const milliseconds = Math.round(Number(match?.[1]) * { ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 's']!)
  if (!match || milliseconds < 1) throw new InvalidArgumentError('Write 500ms, 5s or 2m.')
  return milliseconds
}

/** `--port`, with the words for its default. */
export function portOption(description: string): Option {
  return new Option('--port <number>', description).argParser(port)
}

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new InvalidArgumentError('Write a port number.')
  return number
}

/** `--model`, for commands that serve models. */
export function modelOption(): Option {
  const about =
    'a model for chat clients on /v1, at the base URL of its API; may be repeated (its key: STARBIND_MODEL_KEY)'
  return new Option('--model <name=url>', about)
    .argParser((text, models: readonly string[]) => [...models, text])
    .default([])
}
