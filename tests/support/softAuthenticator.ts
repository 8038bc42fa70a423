import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

type Credential = { id: string; rpId: string; userHandle: string; key: KeyObject; counter: number }
/** What an authenticator or page that does not follow the rules says instead. */
type Deviation = {
  origin?: string
  rpId?: string
  userVerified?: boolean
  /** The count of signatures; by default it rises by one. */
  counter?: number
  credential?: Credential
  userHandle?: string
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/**
 * A browser with an authenticator in software: passkeys on P-256 with a count of signatures, discoverable, no attestation.
 * @param counts whether it counts signatures; if not, the count is always 0, as on synchronised passkeys
 */
export function softAuthenticator(origin = 'http://localhost', { counts = true } = {}) {
  const credentials: Credential[] = []
  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  /** What `navigator.credentials.create` answers. */
  const create = (
    options: PublicKeyCredentialCreationOptionsJSON,
    deviation: Deviation = {},
  ): RegistrationResponseJSON => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const idBytes = randomBytes(16)
    const rpId = deviation.rpId ?? options.rp.id ?? 'localhost'
    const credential = {
      id: base64url(idBytes),
      rpId,
      userHandle: options.user.id,
      key: privateKey,
      counter: 0,
    }
    credentials.push(credential)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, idBytes.length]),
      idBytes,
      coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
    ])
    const authData = Buffer.concat([
      authenticatorData(rpId, flags({ ...deviation, isAttested: true }), 0),
      attested,
    ])
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(
          clientData('webauthn.create', options.challenge, deviation.origin ?? origin),
        ),
        attestationObject: base64url(attestationObject(authData)),
        transports: ['internal'],
      },
    }
  }

  /** What `navigator.credentials.get` answers, by the newest of its passkeys that the options allow. */
  const get = (
    options: PublicKeyCredentialRequestOptionsJSON,
    deviation: Deviation = {},
  ): AuthenticationResponseJSON => {
    const allowed = options.allowCredentials?.map(({ id }) => id)
    const own = credentials.findLast(({ id }) => allowed === undefined || allowed.includes(id))
    const credential = deviation.credential ?? own
    if (!credential) throw new Error('The authenticator has no passkey that the options allow.')
    if (counts) credential.counter += 1
    const counter = deviation.counter ?? credential.counter
    const authData = authenticatorData(deviation.rpId ?? credential.rpId, flags(deviation), counter)
    const client = clientData('webauthn.get', options.challenge, deviation.origin ?? origin)
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(client)]), credential.key)),
        userHandle: deviation.userHandle ?? credential.userHandle,
      },
    }
  }
  return { create, get, credentials }
}
export type SoftAuthenticator = ReturnType<typeof softAuthenticator>

const flags = ({ userVerified = true, isAttested = false }): number =>
  0x01 | (userVerified ? 0x04 : 0) | (isAttested ? 0x40 : 0)

function authenticatorData(rpId: string, flagBits: number, counter: number): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flagBits, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** CBOR of `{fmt: 'none', attStmt: {}, authData}`. */
function attestationObject(authData: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    cborBytes(authData),
  ])
}

/** CBOR of a COSE key of ES256 on P-256: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
const coseKey = (x: Buffer, y: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(x),
    Buffer.from([0x22]),
    cborBytes(y),
  ])

const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
/** Of 24 to 255 bytes. */
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
