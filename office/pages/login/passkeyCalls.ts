import { staffSessionRoutes as routes, type StaffSession } from '../../../contract/office/staff.ts'
import { createPasskey, signWithPasskey } from '../../../src/features/passkeys/passkeys.ts'
import type { Failure } from '../../../streams/index.ts'
import { call } from '../../api.ts'
import type { TextKey } from '../../i18n.ts'

/** What came of a passkey: the venue's failure, or why the browser gave none. */
export type PasskeyResult<T> = { value: T } | { failure: Failure } | { problem: TextKey }

/** Logs in with a passkey of this device. */
export async function logInWithPasskey(): Promise<PasskeyResult<StaffSession>> {
  const issued = await call(routes.beginPasskeyLogIn, {})
  if (!issued.ok) return { failure: issued.failure }
  const { challengeId, options } = issued.value
  const signed = await signWithPasskey(options)
  if (!signed.ok) return { problem: 'factor.passkeyUnused' }
  const result = await call(routes.passkeyLogIn, { body: { challengeId, response: signed.value } })
  return result.ok ? { value: result.value } : { failure: result.failure }
}

/** Adds a passkey of this device to the user's account. */
export async function addPasskey(password: string, name: string): Promise<PasskeyResult<null>> {
  const issued = await call(routes.beginPasskey, { body: { password } })
  if (!issued.ok) return { failure: issued.failure }
  const { challengeId, options } = issued.value
  const created = await createPasskey(options)
  if (!created.ok)
    return { problem: created.reason === 'exists' ? 'factor.passkeyExists' : 'factor.passkeyUnused' }
  const result = await call(routes.addPasskey, { body: { challengeId, response: created.value, name } })
  return result.ok ? { value: null } : { failure: result.failure }
}
