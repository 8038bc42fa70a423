import { parseVerifierKey } from '../contract/tlog/note.ts'
import type { VerifierKey } from '../contract/tlog/note.ts'

/** A witness of the public log (C2SP tlog-witness). */
export type LogWitness = {
  /** The submission prefix, without a slash at the end. */
  url: string
  key: VerifierKey
  /** The key as text. */
  keyText: string
}

/** Reads pairs of an address and a verifier key, divided by commas; null if one is neither. No text: no witness. */
export function parseLogWitnesses(text: string): LogWitness[] | null {
  const witnesses: LogWitness[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue
    const [url = '', keyText = '', ...more] = part.split(/\s+/)
    const key = parseVerifierKey(keyText)
    const isAddress = /^https?:\/\//.test(url) && URL.canParse(url)
    if (key?.type !== 'cosignature' || !isAddress || more.length > 0) return null
    witnesses.push({ url: url.replace(/\/+$/, ''), key, keyText })
  }
  return witnesses
}
