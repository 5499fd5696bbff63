// One person or key at the page: its view of the library, and what it may do.

import type { CallerFacts, CodeMode, Session } from '../index.js'
import type { SignIn } from './sign-ins.js'

export interface Viewer {
  readonly session: Session
  /** The owner of its runs. */
  readonly name: string
  readonly seesAll: boolean
  /** Of the cookie; undefined: the request has a key. */
  readonly signIn: SignIn | undefined
  readonly mayManage: boolean
}

/** The owner of what the person at this machine does, on the page as in the terminal. */
const LOCAL = 'local'

export function personHere(codeMode: CodeMode, signIn: SignIn): Viewer {
  return { session: codeMode, name: LOCAL, seesAll: true, signIn, mayManage: true }
}

export function holderOfKey(codeMode: CodeMode, caller: CallerFacts, signIn: SignIn | undefined): Viewer {
  const { name, mayApprove = false, filters = [] } = caller
  const isRestricted = filters.some(
    ({ servers, toolsToExecute, toolsToDeny }) =>
      servers !== undefined || toolsToExecute !== undefined || toolsToDeny !== undefined,
  )
  return {
    session: codeMode.accept(caller),
    name,
    seesAll: mayApprove,
    signIn,
    mayManage: mayApprove && !isRestricted,
  }
}

/** True if something of an owner may be shown; things without an owner are everybody's. */
export function sees({ name, seesAll }: Viewer, owner: string | undefined): boolean {
  return owner === undefined || seesAll || owner === name
}
