import * as z from 'zod/mini'
import { parseVerifierKey, type VerifierKey } from '../../../contract/tlog/note.ts'

/** A witness of the public log (C2SP tlog-witness). */
export type LogWitness = {
  /** The submission prefix, without a slash at the end. */
  url: string
  key: VerifierKey
  /** The key as text. */
  keyText: string
}

const isAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** A witness in CONFIG_FILE. */
export const logWitnessSetting = z.strictObject({
  address: z.string().check(z.refine(isAddress, { error: 'must be an http or https address' })),
  key: z.string().check(
    z.refine((text) => parseVerifierKey(text)?.type === 'cosignature', {
      error: 'must be a verifier key of cosignatures, such as witness.example+1234abcd+BAAA…',
    }),
  ),
})

/** @throws Error if the key is invalid, which the schema already rejects */
export function logWitnessOf({ address, key: keyText }: z.infer<typeof logWitnessSetting>): LogWitness {
  const key = parseVerifierKey(keyText)
  if (key === null) throw new Error('not a verifier key')
  return { url: address.replace(/\/+$/, ''), key, keyText }
}
