// Completion: the questions of a shell after the Tab key, and the answers.

import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
place.write('starbind.json', {
  mcpServers: { github: place.fixture('exits-at-once'), gitlab: { url: 'https://example.com' } },
  models: { local: { baseUrl: 'http://127.0.0.1:9/v1' }, far: { baseUrl: 'https://example.com/v1' } },
})
place.write('report.star', '')
place.write('.hidden', '')
place.write('odd $(touch pwned)', '')
afterAll(() => place.remove())

/** The offers for the words of a command line, the last of which is being typed. */
async function offers(...words: readonly string[]): Promise<string[]> {
  const ended = await starbindHere(['complete', '--', ...words], { cwd: place.folder })
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  return ended.stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t')[0]!)
}

describe('starbind completion', () => {
  it('offers commands, options, choices, files and servers, and starts no server', async () => {
    expect(await offers('r')).toEqual(['run', 'resume', 'runs', 'replay', 'repl'])
    expect(await offers('check', '--')).toEqual([
      '--eval',
      '--json',
      '--read-only',
      '--language',
      '--strict',
      '--clock',
      '--random',
      '--memory',
      '--help',
    ])
    expect(await offers('run', '--language', '')).toEqual(['starlark', 'javascript'])
    expect(await offers('run', '')).toEqual(['odd $(touch pwned)', 'report.star', 'starbind.json'])
    expect(await offers('--config', 'star')).toEqual(['starbind.json'])
    expect(await offers('docs', 'git')).toEqual(['github', 'gitlab'])
    expect(await offers('ls', '--server', 'gith')).toEqual(['github'])
    expect(await offers('cat', 'servers/gitl')).toEqual(['servers/gitlab.pyi'])
    expect(await offers('chat', '--model', '')).toEqual(['local', 'far'])
    expect(await offers('chat', '--mode', 'd')).toEqual(['direct'])
  })

  it.skipIf(process.platform === 'win32')('works in a bash without bash-completion', async () => {
    const { stdout: script } = await starbindHere(['completion', 'bash'], { cwd: place.folder })
    const main = path.join(import.meta.dirname, '../../dist/main.js')
    // The words of a command line as bash takes it apart, and what the Tab key would make of the last of them.
    const tab = (
      ...words: readonly string[]
    ) => `COMP_WORDS=(starbind ${words.join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_starbind; echo "\${COMPREPLY[@]}"`
    const line = `
starbind() { '${process.execPath}' '${main}' "$@"; }
${script}
${script}
${tab('doc')}
${tab('run', '--lang')}
${tab('run', '--language', '=', 'st')}
${tab('run', '--language', '=')}
${tab('docs', 'gith')}
${tab('run', 'odd')}
${tab('run', "'odd\\\\ '")}
${tab("'x; touch pwned'", "'$(touch pwned)'")}
ls pwned`
    const shell = spawn('bash', ['--norc', '-c', line], { cwd: place.folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)])
    expect({ stdout, stderr }).toEqual({
      stdout: `docs doctor
--language
starlark
starlark javascript
github
odd\\ \\$\\(touch\\ pwned\\)
odd\\ \\$\\(touch\\ pwned\\)

`,
      stderr: expect.stringMatching(/^ls: .*pwned.*\n$/),
    })
  })

  it.each([
    ['bash', 'complete -F'],
    ['zsh', '#compdef starbind'],
    ['fish', 'complete -c starbind'],
    ['powershell', 'Register-ArgumentCompleter'],
  ])('prints a script for %s', async (shell, mark) => {
    const ended = await starbindHere(['completion', shell], { cwd: place.folder })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(ended.stdout).toContain(mark)
  })

  it('knows four shells', async () => {
    const ended = await starbindHere(['completion', 'csh'], { cwd: place.folder })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain('Allowed choices are zsh, bash, fish, powershell')
  })
})
