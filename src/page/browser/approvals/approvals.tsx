// Everything that waits for a person.

import { useEffect } from 'preact/hooks'
import { Empty } from '../elements/notice.js'
import { ApprovalPanel } from './approval-panel.js'
import { askForPermission, permission } from './notifications.js'
import { waiting } from './waiting.js'

export function Approvals({ id }: { readonly id: string | undefined }) {
  const approvals = waiting.value
  useEffect(() => {
    if (id !== undefined) document.getElementById(`approval-${id}`)?.scrollIntoView()
  }, [id, approvals === undefined])
  return (
    <div class="sheet">
      <div class="bar">
        <h1>Approvals</h1>
        {permission.value === 'default' && (
          <button type="button" class="push" onClick={askForPermission}>
            Notify me
          </button>
        )}
      </div>
      {approvals?.length === 0 && (
        <Empty title="Nothing waits for you">
          <p>
            A program that wants to call a tool of a server with <code>"approve"</code> in its configuration stops
            before the call and asks here. Every answer is recorded in the run.
          </p>
        </Empty>
      )}
      {approvals?.map((approval) => (
        <div key={approval.runId} id={`approval-${approval.runId}`}>
          <ApprovalPanel approval={approval} />
        </div>
      ))}
    </div>
  )
}
