/** Where passkeys are valid: WebAuthn's RP ID (a host name) and the origin of the pages that may use them. */
export type RelyingParty = { id: string; origin: string }

/**
 * The relying party of PUBLIC_URL. Without it, that of a request to this machine by name: any other host is whatever a
 * caller wrote into the request.
 * @param host of the request
 * @returns null where browsers have no passkeys: without a host name (127.0.0.1), or without HTTPS elsewhere than here
 */
export function relyingPartyOf(
  publicUrl: string | null,
  host: string | undefined,
  isSecure: boolean,
): RelyingParty | null {
  const address = publicUrl ?? `${isSecure ? 'https' : 'http'}://${host}`
  if (!URL.canParse(address)) return null
  const { protocol, hostname, origin } = new URL(address)
  if (hostname === 'localhost') return { id: hostname, origin }
  const isName = !/^\[|^[\d.]+$/.test(hostname)
  return publicUrl !== null && protocol === 'https:' && isName ? { id: hostname, origin } : null
}
