import type { Db } from '../../platform/db/database.ts'
import { addSetting, readSetting } from '../../platform/db/settingValue.ts'
import type { Vault } from '../../platform/vault.ts'
import type { PushKeys, PushTransport } from './webPush.ts'

const settingKey = 'push_keys'
type Stored = { publicKey: string; privateKeySealed: string }

/**
 * The venue's key pair for Web Push. It is created when it is needed first and never changes, because browsers bind their
 * subscriptions to it. The private key is stored encrypted.
 */
export function createPushKeys(db: Db, vault: Vault, transport: Pick<PushTransport, 'createKeys'>) {
  let known: PushKeys | null = null
  const read = async (): Promise<PushKeys | null> => {
    const value = await readSetting(db, settingKey)
    if (value === undefined) return null
    const { publicKey, privateKeySealed } = value as Stored
    return {
      publicKey,
      privateKey: vault.decrypt(Buffer.from(privateKeySealed, 'base64'), publicKey).toString(),
    }
  }
  const create = async (): Promise<void> => {
    const { publicKey, privateKey } = await transport.createKeys()
    const value: Stored = {
      publicKey,
      privateKeySealed: vault.encrypt(privateKey, publicKey).toString('base64'),
    }
    await addSetting(db, settingKey, value)
  }
  return {
    get: async (): Promise<PushKeys> => {
      known ??= await read()
      if (known === null) await create()
      known ??= await read()
      if (known === null) throw new Error('The keys for Web Push were not stored.')
      return known
    },
  }
}
export type PushKeyStore = ReturnType<typeof createPushKeys>
