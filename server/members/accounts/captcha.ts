import { lt } from 'drizzle-orm'
import { minuteMs } from '../../../contract/time.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { usedCaptcha } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createVault } from '../../platform/vault.ts'
import { renderCaptcha } from './captchaImage.ts'

const captchaTtlMs = 5 * minuteMs
const digitCount = 4
/** The first bytes of an id are the random start of its encryption, and no other id has them. */
const idNonceBytes = 12

/** Captchas of four digits as a picture. The id contains the digits, encrypted: every node can check its answer. */
export type Captchas = {
  /** The picture is an SVG that contains only a PNG: its markup reveals nothing about the digits. */
  issue(): Promise<{ captchaId: string; svg: string }>
  /**
   * Whether the answer is right. The first answer uses the captcha up, right or wrong, once the transaction commits; a
   * concurrent second one waits for that.
   */
  redeem(tx: Db | DbTransaction, captchaId: string, answer: string): Promise<boolean>
  /** Deletes the used captchas that have expired, and returns how many. */
  prune(fence: Fence): Promise<number>
}

type Parts = { db: Db; clock: Pick<Clock, 'now'>; random: Random; secret: Uint8Array }
type Issued = { digits: string; expiresAt: number }

export function createCaptchas({ db, clock, random, secret }: Parts): Captchas {
  const vault = createVault(secret, 'captcha', random)
  const encrypt = ({ digits, expiresAt }: Issued): string =>
    vault.encrypt(`${digits}${expiresAt}`, 'captcha').toString('base64url')
  const decrypt = (bytes: Buffer): Issued | null => {
    try {
      const text = vault.decrypt(bytes, 'captcha').toString()
      return { digits: text.slice(0, digitCount), expiresAt: Number(text.slice(digitCount)) }
    } catch {
      // Not an id that this venue issued.
      return null
    }
  }
  return {
    issue: async () => {
      const digits = Array.from(random.bytes(digitCount), (byte) => byte % 10).join('')
      const captchaId = encrypt({ digits, expiresAt: clock.now() + captchaTtlMs })
      return { captchaId, svg: await renderCaptcha(digits, random) }
    },
    redeem: async (tx, captchaId, answer) => {
      const bytes = Buffer.from(captchaId, 'base64url')
      const captcha = decrypt(bytes)
      if (captcha === null || captcha.expiresAt < clock.now()) return false
      const used = { id: bytes.toString('hex', 0, idNonceBytes), expiresAt: captcha.expiresAt }
      const first = await tx
        .insert(usedCaptcha)
        .values(used)
        .onConflictDoNothing()
        .returning({ id: usedCaptcha.id })
      return first.length > 0 && captcha.digits === answer
    },
    prune: async (fence) => {
      const deleted = await fence.transaction(db, (tx) =>
        tx.delete(usedCaptcha).where(lt(usedCaptcha.expiresAt, clock.now())),
      )
      return deleted.rowCount ?? 0
    },
  }
}
