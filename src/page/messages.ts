// The words of the room `page`: refusals of requests.

const CODES: Readonly<Record<number, string>> = {
  400: 'wrong-request',
  401: 'not-signed-in',
  403: 'not-allowed',
  404: 'not-found',
  405: 'wrong-method',
  409: 'too-late',
  413: 'too-long',
  429: 'too-many',
  503: 'closing',
}

/** The code of a refusal that has none of its own. */
export function codeOfStatus(status: number): string {
  return CODES[status] ?? 'failed'
}

export const notSignedIn = 'nobody is signed in here: open the address that starbind open prints, or sign in with a key'
export const keyWithoutPage = 'this key does not open the page: its entry needs "page": true'
export const tokenUsed = 'this token is not valid: it opens the page once, within ten minutes'
export const foreignPage = 'a page of another origin may not ask this'
export const tokenMissing = 'a change needs the header X-Starbind-Token of the session'
export const mayNotManage =
  'only the person at this machine, or a key without restrictions that may approve, can do that'
export const pageMissing = 'The page is not part of this installation: the folder dist/page is missing.\n'
export const tooManyReaders = 'too many streams of events are open'

export const answerUnderway = 'this conversation has an answer underway'
export const noFolder = 'there is no folder for saved programs: set codeMode.programs'
export const notWrappable =
  'the program has a text over several lines, which a function around it would change: write main by hand'

export function notNamable(name: string): string {
  return `a program can't be called ${JSON.stringify(name.slice(0, 100))}: want letters, digits and _`
}

export function modelUnusable(name: string): string {
  return `the model ${JSON.stringify(name.slice(0, 100))} can't be used`
}

export function loginUnanswered(name: string): string {
  return `${name} named no page to log in on`
}

export function nothingAt(pathname: string): string {
  return `there is nothing at ${pathname.slice(0, 100)}`
}

export function wrongMethod(method: string | undefined, pathname: string): string {
  return `there is no ${method} at ${pathname.slice(0, 100)}`
}

export function wrongInput(place: string, problem: string): string {
  return `${place === '' ? 'the body' : place.slice(0, 100)}: ${problem}`
}

export function noSuch(what: string, name: string): string {
  return `there is no ${what} ${JSON.stringify(name.slice(0, 100))}`
}
