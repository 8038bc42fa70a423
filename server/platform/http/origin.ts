/**
 * Whether a browser's `Origin` is the venue's own. With PUBLIC_URL only that origin counts, which defeats DNS rebinding;
 * without it, the host that the request was sent to. A request without `Origin` does not come from a page.
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
