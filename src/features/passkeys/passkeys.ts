import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type * as z from 'zod/mini'
import type { passkeyCreationOptions, passkeyRequestOptions } from '../../../contract/passkeys.ts'
import { createLazy } from '../../start/lazy.ts'

/**
 * Whether passkeys can be used: no browser has them at an address without a host name, such as 127.0.0.1, nor over
 * plain HTTP (`insecure`).
 */
export type PasskeySupport = 'usable' | 'address' | 'insecure' | 'browser'

export function passkeySupport(): PasskeySupport {
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'address'
  if (!window.isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? 'usable' : 'browser'
}

/** The same page under the name of this machine, where passkeys work; undefined on another machine. */
export function addressWithPasskeys(): { host: string; href: string } | undefined {
  if (!/^127\.|^\[::1\]$/.test(location.hostname)) return undefined
  const host = location.port === '' ? 'localhost' : `localhost:${location.port}`
  return { host, href: `${location.protocol}//${host}/${location.hash}` }
}

/** What the browser answered. `refused`: by the member, or too late; the browser does not say which. */
export type Ceremony<T> = { ok: true; value: T } | { ok: false; reason: 'refused' | 'exists' | 'failed' }

const library = createLazy(() => import('@simplewebauthn/browser'), { name: 'passkeys' })
const notLoaded = { ok: false, reason: 'failed' } as const

/** Asks the browser to create a passkey. */
export async function createPasskey(options: z.infer<typeof passkeyCreationOptions>) {
  const loaded = await library.getOrReload()
  if (!loaded.ok) return notLoaded
  // The contract's optional fields may also be undefined.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return runCeremony(async () => {
    const { id, rawId, type, response } = await loaded.value.startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
  })
}

/** Asks the browser to sign with a passkey. */
export async function signWithPasskey(options: z.infer<typeof passkeyRequestOptions>) {
  const loaded = await library.getOrReload()
  if (!loaded.ok) return notLoaded
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return runCeremony(async () => {
    const { id, rawId, type, response } = await loaded.value.startAuthentication({ optionsJSON })
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  })
}

async function runCeremony<T>(ceremony: () => Promise<T>): Promise<Ceremony<T>> {
  try {
    return { ok: true, value: await ceremony() }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'InvalidStateError') return { ok: false, reason: 'exists' }
    return { ok: false, reason: name === 'NotAllowedError' || name === 'AbortError' ? 'refused' : 'failed' }
  }
}
