/**
 * Whether a browser's `Origin` is the venue's own. With PUBLIC_URL only that address counts, so that a name rebound to
 * this host gets nowhere; without it, the address that the request itself was sent to. No `Origin` is no browser.
 */
export function isOwnOrigin(
  origin: string | undefined,
  publicOrigin: string | null,
  host: string | undefined,
): boolean {
  if (origin === undefined) return true
  if (publicOrigin !== null) return origin === publicOrigin
  const own = URL.canParse(origin) ? new URL(origin) : null
  return (
    own !== null && host !== undefined && own.protocol.startsWith('http') && own.host === host.toLowerCase()
  )
}
