// Markdown as nodes. Invariant: nothing of a text becomes markup, an address that the page loads, or a link to anything
// but the web and mail; HTML is shown as it was written.

import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

/** Longer texts are shown as they are: reading them would hold the page. */
const MOST = 200_000

export function Markdown({ text }: { readonly text: string }) {
  const nodes = useMemo(() => (text.length > MOST ? <pre class="text">{text}</pre> : blocks(lexer(text))), [text])
  return <div class="markdown">{nodes}</div>
}

const blocks = (tokens: readonly Token[]): ComponentChildren => tokens.map(block)

function block(token: Token, at: number): ComponentChildren {
  const one = token as Tokens.Generic
  switch (one.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return <Heading key={at} depth={one.depth} tokens={one.tokens ?? []} />
    case 'paragraph':
      return <p key={at}>{inlines(one.tokens)}</p>
    case 'text':
      return one.tokens === undefined ? plain(one.text) : inlines(one.tokens)
    case 'code':
      return (
        <pre key={at} tabIndex={0} class="block">
          <code>{one.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote key={at}>{blocks(one.tokens ?? [])}</blockquote>
    case 'hr':
      return <hr key={at} />
    case 'list':
      return <List key={at} list={token as Tokens.List} />
    case 'table':
      return <Table key={at} table={token as Tokens.Table} />
    default:
      return <p key={at}>{one.raw}</p>
  }
}

/** The page has headings of its own above these. */
function Heading({ depth, tokens }: { readonly depth: number; readonly tokens: readonly Token[] }) {
  return depth <= 2 ? <h3>{inlines(tokens)}</h3> : <h4>{inlines(tokens)}</h4>
}

function List({ list: { ordered, start, items } }: { readonly list: Tokens.List }) {
  const rows = items.map(({ tokens, task, checked }, at) => (
    <li key={at}>
      {task && (checked ? '☑ ' : '☐ ')}
      {blocks(tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ))
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table">
      <table class="grid">
        <thead>
          <tr>
            {header.map(({ tokens, align }, at) => (
              <th key={at} scope="col" class={align === 'right' ? 'number' : ''}>
                {inlines(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map(({ tokens, align }, at) => (
                <td key={at} class={align === 'right' ? 'number' : ''}>
                  {inlines(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const inlines = (tokens: readonly Token[] | undefined): ComponentChildren => tokens?.map(inline)

function inline(token: Token, at: number): ComponentChildren {
  const one = token as Tokens.Generic
  switch (one.type) {
    case 'strong':
      return <strong key={at}>{inlines(one.tokens)}</strong>
    case 'em':
      return <em key={at}>{inlines(one.tokens)}</em>
    case 'del':
      return <del key={at}>{inlines(one.tokens)}</del>
    case 'codespan':
      return <code key={at}>{one.text}</code>
    case 'br':
      return <br key={at} />
    case 'escape':
      return plain(one.text)
    case 'link':
      return <Link key={at} href={one.href} content={inlines(one.tokens)} />
    case 'image':
      // A picture would be a request to whoever the text names.
      return <Link key={at} href={one.href} content={`picture: ${plain(one.text || one.href)}`} />
    case 'text':
      return one.tokens === undefined ? plain(one.text) : inlines(one.tokens)
    default:
      return one.raw
  }
}

function Link({ href, content }: { readonly href: string; readonly content: ComponentChildren }) {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return content
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

/** marked leaves entities to the browser, which reads none here. */
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name]!)
