// Turns HTML into Markdown, as a host worker does it.

import { htmlToMarkdown } from '@mdream/js'

export function learn(): void {}
export function forget(): void {}

export function work(input: unknown): string {
  const { html, href } = input as { readonly html: string; readonly href: string }
  return htmlToMarkdown(html, { origin: href }).trim()
}
