import { eq } from 'drizzle-orm'
import { epochMs } from '../../../contract/units.ts'
import type { Passkey } from '../../../contract/passkeys.ts'
import type { SecondFactors as SecondFactorsView } from '../../../contract/secondFactors.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { FactorTables, PasskeyRow } from '../schema.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createCodeCheck, type CodeCheck } from './codeCheck.ts'
import { createPasskeys, type Passkeys } from './passkeys.ts'
import { createRecoveryCodes, type RecoveryCodes } from './recoveryCodes.ts'
import { createTickets, type Tickets } from './tickets.ts'
import { createTotp, type Totp } from './totp.ts'
import { createTotpRegistration, type TotpRegistration } from './totpRegistration.ts'

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
  /** Checks the code of a login. */
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
    codes: createCodeCheck({ ...parts, totp, recoveryCodes, hashKey: idempotencyKey }),
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
