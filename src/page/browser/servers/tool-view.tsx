// One tool: its stub, its documentation, and the shape of what it answered.

import type { ToolDocs } from '../../interface.js'
import { duration, number } from '../elements/amounts.js'
import { CodeView } from '../elements/code-view.js'
import { RefusalNotice } from '../elements/notice.js'
import { ValueView } from '../elements/value-view.js'
import { part } from '../frame/api.js'
import { useLoaded } from '../frame/loaded.js'
import { Fact } from '../runs/call-view.js'
import { serverAddress } from './tool-address.js'

export function ToolView({ server, tool }: { readonly server: string; readonly tool: string }) {
  const { loaded } = useLoaded<ToolDocs>(`servers/${part(server)}/tools/${part(tool)}`)
  const { value, refusal } = loaded.value
  return (
    <section class="panel tool" aria-label={`Tool ${tool}`}>
      <header>
        <code>
          {server}.{tool}
        </code>
        <a class="push" href={serverAddress(server)}>
          Close
        </a>
      </header>
      <RefusalNotice refusal={refusal} />
      {value !== undefined && (
        <>
          <CodeView text={value.stub} language="starlark" />
          <div class="body stack">
            {value.figures.calls > 0 && (
              <dl class="facts-row small-facts">
                <Fact name="calls" value={number(value.figures.calls)} />
                <Fact name="failed" value={number(value.figures.failures)} />
                {value.figures.medianMs !== null && <Fact name="median" value={duration(value.figures.medianMs)} />}
              </dl>
            )}
            <h2>Documentation</h2>
            <pre class="text">{value.docs}</pre>
            {value.observed !== null && (
              <>
                <h2>Observed answers</h2>
                <pre class="text">{value.observed}</pre>
              </>
            )}
            <h2>Schema of its arguments</h2>
            <ValueView value={value.inputSchema} name="Schema" />
          </div>
        </>
      )}
    </section>
  )
}
