/** Bytes as standard base64 (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCodePoint(byte)
  return btoa(binary)
}

/** The bytes of standard base64 with its padding; null for any other text, also for a second spelling of some bytes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null
  let binary: string
  try {
    binary = atob(text)
  } catch {
    return null
  }
  const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0)
  return toBase64(bytes) === text ? bytes : null
}
