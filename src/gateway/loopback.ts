/** The names of this machine for itself. */
export const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]', '::1']

export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || /^127(\.\d{1,3}){3}$/.test(host)
}
