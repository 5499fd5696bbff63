import { once } from 'node:events'
import { harmless } from './print.js'
import { mustGoOn, stopping } from './stopping.js'

/** True if there is a person to ask. */
export function isPersonThere(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** One typed line; empty if the terminal closes. Rejects when a signal interrupts it. */
export async function answerTo(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  // Outside raw mode the terminal turns Ctrl-C into a signal.
  const prompt = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    const closed = once(prompt, 'close').then(() => '')
    const typed = prompt.question(harmless(question), { signal: stopping })
    return (await Promise.race([typed, closed])).trim()
  } catch (error) {
    mustGoOn()
    throw error
  } finally {
    prompt.close()
  }
}

/** Whether the person agrees. An empty line means `usual`. */
export async function agrees(question: string, usual: 'yes' | 'no'): Promise<boolean> {
  const answer = await answerTo(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `)
  return answer === '' ? usual === 'yes' : /^y(es)?$/i.test(answer)
}
