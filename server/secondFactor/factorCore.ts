import type { Db } from '../db/database.ts'
import type { FactorTables } from '../db/schema/secondFactor.ts'
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
  recoveryCodes: RecoveryCodes
  /** Checks the code of a log-in. */
  codes: CodeCheck
}

export function createFactorCore(parts: FactorCoreParts): FactorCore {
  const { idempotencyKey, uploadKey } = parts.secrets
  const tickets = createTickets({ ...parts, secret: idempotencyKey })
  const totp = createTotp({ ...parts, encryptionKey: uploadKey })
  const recoveryCodes = createRecoveryCodes({ ...parts, hashKey: idempotencyKey })
  return {
    tickets,
    passkeys: createPasskeys({ ...parts, tickets }),
    totp,
    recoveryCodes,
    codes: createCodeCheck({ ...parts, totp, recoveryCodes }),
  }
}
