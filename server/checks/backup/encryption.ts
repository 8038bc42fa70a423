import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { deriveKey } from '../../platform/keyDerivation.ts'
import { encryptingKeys, type Keys } from './keyFile.ts'

/** The passphrase has 256 random bits: it needs no cost that slows guessing down. */
const scryptWorkFactor = 10

/** The passphrase of a venue's backups. It is derived: who has a backup and its passphrase has no other key. */
const passphraseOf = (keys: Keys): string =>
  deriveKey(encryptingKeys(keys).uploadKey, 'backup').toString('base64url')

type WebStream = ReadableStream<Uint8Array>
const toWeb = (stream: Readable): WebStream => Readable.toWeb(stream) as unknown as WebStream
const fromWeb = (stream: WebStream): Readable => Readable.fromWeb(stream as NodeWebStream<Uint8Array>)

/** Writes content into a new file in the format of age, piece by piece. */
export async function encryptTo(file: string, content: Readable, keys: Keys): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphraseOf(keys))
  encrypter.setScryptWorkFactor(scryptWorkFactor)
  const encrypted = fromWeb(await encrypter.encrypt(toWeb(content)))
  await pipeline(encrypted, createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }))
}

/** @throws if the keys are others, or a byte of the file has changed */
export async function decryptFile(file: string, target: string, keys: Keys): Promise<void> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphraseOf(keys))
  const decrypted = fromWeb(await decrypter.decrypt(toWeb(createReadStream(file))))
  await pipeline(decrypted, createWriteStream(target, { mode: 0o600, flags: 'wx' }))
}
