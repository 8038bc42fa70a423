import { eq } from 'drizzle-orm'
import { epochMs } from '../../contract/brand.ts'
import type { Passkey } from '../../contract/passkeys.ts'
import type { SecondFactors as SecondFactorsView } from '../../contract/secondFactors.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { FactorTables, PasskeyRow } from '../db/schema/secondFactor.ts'
import type { Clock, Random } from '../ports.ts'
import type { Secrets } from '../secrets.ts'
import { createCodeCheck } from './codeCheck.ts'
import type { CodeCheck } from './codeCheck.ts'
import { createPasskeys } from './passkeys.ts'
import type { Passkeys } from './passkeys.ts'
import { createRecoveryCodes } from './recoveryCodes.ts'
import type { RecoveryCodes } from './recoveryCodes.ts'
import { createTickets } from './tickets.ts'
import type { Tickets } from './tickets.ts'
import { createTotp } from './totp.ts'
import type { Totp } from './totp.ts'
import { createTotpRegistration } from './totpRegistration.ts'
import type { TotpRegistration } from './totpRegistration.ts'

export type FactorCoreParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  secrets: Pick<Secrets, 'idempotencyKey' | 'uploadKey'>
  /** `factorTables` of the kind of owner. */
  tables: FactorTables
}

/** Passkeys, authenticator app and recovery codes of one kind of owner, without any route. */
export type FactorCore = {
  tickets: Tickets
  passkeys: Passkeys
  totp: Totp
  totpRegistration: TotpRegistration
  recoveryCodes: RecoveryCodes
  /** Checks the code of a log-in. */
  codes: CodeCheck
  view(ownerId: string): Promise<SecondFactorsView>
}

export function createFactorCore(parts: FactorCoreParts): FactorCore {
  const { idempotencyKey, uploadKey } = parts.secrets
  const tickets = createTickets({ ...parts, secret: idempotencyKey })
  const totp = createTotp({ ...parts, encryptionKey: uploadKey })
  const recoveryCodes = createRecoveryCodes({ ...parts, hashKey: idempotencyKey })
  const passkeys = createPasskeys({ ...parts, tickets })
  return {
    tickets,
    passkeys,
    totp,
    totpRegistration: createTotpRegistration({ kind: parts.tables.kind, totp, tickets, recoveryCodes }),
    recoveryCodes,
    codes: createCodeCheck({ ...parts, totp, recoveryCodes }),
    view: async (ownerId) => {
      const addedAt = await totp.addedAt(parts.db, ownerId)
      return {
        passkeys: (await passkeys.list(ownerId)).map(viewPasskey),
        totp: addedAt === null ? null : { addedAt: epochMs(addedAt) },
        recoveryCodesLeft: await recoveryCodes.left(parts.db, ownerId),
      }
    },
  }
}

export const viewPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: epochMs(createdAt),
  lastUsedAt: epochMs(lastUsedAt),
})

/** Removes every factor of an owner, and the count of wrong codes. */
export async function forgetFactors(
  tx: DbTransaction,
  { passkey, totp, recoveryCode, codeFailure }: FactorTables,
  ownerId: string,
): Promise<void> {
  for (const table of [passkey, totp, recoveryCode, codeFailure])
    await tx.delete(table).where(eq(table.ownerId, ownerId))
}
