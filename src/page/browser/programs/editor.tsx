// The editor: CodeMirror in a shadow root, where it adopts its styles instead of writing style elements, which the
// page's policy refuses.

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { python } from '@codemirror/lang-python'
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Checked, Completion, PageDiagnostic } from '../../interface.js'
import { colours, type Language } from '../elements/highlight.js'
import { post, Refusal } from '../frame/api.js'

interface Editor {
  readonly text: Signal<string>
  readonly language: Language
  readonly checked: Signal<Checked | undefined>
  readonly run: () => void
}

export function Editor({ text, language, checked, run }: Editor) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const newest = useRef({ language, run })
  newest.current = { language, run }
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const check = checking(() => newest.current.language, checked)
    const complete = completing(() => newest.current.language)
    const runKey = {
      key: 'Mod-Enter',
      run: () => {
        newest.current.run()
        return true
      },
    }
    view.current = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text.value,
        extensions: [
          keymap.of([
            runKey,
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) text.value = update.state.doc.toString()
          }),
          reading.of(languageOf(language)),
          linter(check, { delay: 400 }),
          autocompletion({ override: [complete], activateOnCompletion: ({ label }) => /[(.]$/.test(label) }),
          looks,
        ],
      }),
    })
    return () => view.current?.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: reading.reconfigure(languageOf(language)) })
  }, [language])
  useEffect(
    () =>
      text.subscribe((wanted) => {
        const { state } = view.current!
        if (state.doc.toString() !== wanted)
          view.current!.dispatch({ changes: { from: 0, to: state.doc.length, insert: wanted } })
      }),
    [text],
  )
  return <div class="editor" ref={host} />
}

const reading = new Compartment()

const languageOf = (language: Language) => [
  language === 'javascript' ? javascript() : python(),
  indentUnit.of(language === 'javascript' ? '  ' : '    '),
]

const looks = [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  drawSelection(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  syntaxHighlighting(colours),
  EditorView.contentAttributes.of({ 'aria-label': 'Program. Control and Enter run it; Tab leaves it.', tabindex: '0' }),
  EditorView.theme({
    '&': { fontSize: '12.5px', backgroundColor: 'var(--surface)', color: 'var(--ink)', maxHeight: '60vh' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', minHeight: '260px' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--soft)', border: '0' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-wash)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--raised)',
      color: 'var(--ink)',
      border: '1px solid var(--line)',
      borderRadius: '6px',
    },
    '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-wash)', color: 'var(--ink)' },
    '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal', marginLeft: '0' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--wait)' },
    '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
    '.cm-lint-marker': { content: '"●"', color: 'var(--wait)', fontSize: '10px' },
    '.cm-lint-marker-error': { content: '"✕"', color: 'var(--bad)' },
    '.cm-diagnostic': { borderLeft: '3px solid var(--wait)', whiteSpace: 'pre-wrap', fontFamily: 'var(--sans)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
    '.hl-keyword': { color: 'var(--accent)', fontWeight: '600' },
    '.hl-string': { color: 'light-dark(#6a4a10, #d9bf8a)' },
    '.hl-number': { color: 'light-dark(#31599c, #9dbcf0)' },
    '.hl-comment': { color: 'var(--soft)', fontStyle: 'italic' },
    '.hl-name': { fontWeight: '600' },
  }),
]

/** Checks the text as `starbind check` does. A server that does not answer has found nothing. */
const checking =
  (language: () => Language, checked: Signal<Checked | undefined>) =>
  async ({ state: { doc } }: EditorView): Promise<readonly Diagnostic[]> => {
    if (doc.length === 0) {
      checked.value = undefined
      return []
    }
    const answer = await quietly(post<Checked>('check', { code: doc.toString(), language: language() }))
    checked.value = answer
    return (
      answer?.diagnostics.filter(({ line }) => line !== null && line <= doc.lines).map((one) => placed(one, doc)) ?? []
    )
  }

function placed({ severity, message, hint, line, column, endLine, endColumn }: PageDiagnostic, doc: Text): Diagnostic {
  const at = (row: number, column: number) => {
    const { from, to } = doc.line(Math.min(row, doc.lines))
    return Math.min(to, from + column - 1)
  }
  const from = at(line!, column ?? 1)
  const to = Math.max(from, endLine === null ? doc.line(line!).to : at(endLine, endColumn ?? 1))
  return { from, to, severity, message: hint === null ? message : `${message}\n${hint}` }
}

const kinds = {
  server: 'namespace',
  tool: 'function',
  parameter: 'property',
  key: 'property',
  name: 'variable',
  word: 'keyword',
}

const completing =
  (language: () => Language) =>
  async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    if (!explicit && !/[\w.("'[]$/.test(state.sliceDoc(Math.max(0, pos - 1), pos))) return null
    const asked = post<Completion>('completion', { code: state.doc.toString(), language: language(), offset: pos })
    const answer = await quietly(asked)
    if (answer === undefined || answer.options.length === 0) return null
    return {
      from: Math.min(answer.from, pos),
      options: answer.options.map(({ label, kind, detail }) => ({
        label,
        // What follows the name belongs to the text that is inserted.
        displayLabel: label.replace(/[(.=]$/, ''),
        type: kinds[kind],
        ...(detail !== null && { detail }),
      })),
      validFor: /^\w*$/,
    }
  }

async function quietly<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}
