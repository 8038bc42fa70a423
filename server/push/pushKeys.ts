import { eq } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { setting } from '../db/schema/setting.ts'
import type { Vault } from '../vault.ts'
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
    const [row] = await db.select().from(setting).where(eq(setting.key, settingKey))
    if (!row) return null
    const { publicKey, privateKeySealed } = row.value as Stored
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
    // Of several nodes that create one at once, the first one's counts.
    await db.insert(setting).values({ key: settingKey, value }).onConflictDoNothing()
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
