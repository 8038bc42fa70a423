import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import type { RecoveryCodes } from './recoveryCodes.ts'
import type { Ticket, Tickets } from './tickets.ts'
import type { Totp, TotpSetup } from './totp.ts'

const setupTtlMs = 10 * minuteMs

/** Adds an authenticator app, in two steps: a new secret, and a code which proves that the app has it. */
export type TotpRegistration = {
  /** @param scope what the setup belongs to, such as the session; its code must name the same */
  begin(issuer: string, owner: { id: string; account: string }, scope: string): TotpSetup & Ticket
  /** Throws `CHALLENGE_EXPIRED`, `SECOND_FACTOR_WRONG`. */
  check(ownerId: string, scope: string, setupId: string, code: string): CheckedTotp
}
/** An app that has its secret and is not stored yet. */
export type CheckedTotp = {
  /**
   * Uses the setup up, stores the app and returns new recovery codes. Throws `CHALLENGE_EXPIRED`; fails if the owner has
   * an app already.
   */
  accept(tx: DbTransaction): Promise<string[]>
}

type Setup = { ownerId: string; scope: string; secret: string }
type Parts = { kind: string; totp: Totp; tickets: Tickets; recoveryCodes: RecoveryCodes }

export function createTotpRegistration({ kind, totp, tickets, recoveryCodes }: Parts): TotpRegistration {
  const purpose = `${kind} totp setup`
  return {
    begin: (issuer, { id, account }, scope) => {
      const setup = totp.newSetup(issuer, account)
      const value: Setup = { ownerId: id, scope, secret: setup.secret }
      return { ...setup, ...tickets.issue(purpose, value, setupTtlMs) }
    },
    check: (ownerId, scope, setupId, code) => {
      const ticket = tickets.read(purpose, setupId)
      const setup = ticket?.value as Setup | undefined
      if (!ticket || setup?.ownerId !== ownerId || setup.scope !== scope)
        throw new ApiError('CHALLENGE_EXPIRED')
      const step = totp.stepOf(setup.secret, code.replaceAll(/\s/g, ''))
      if (step === null) throw new ApiError('SECOND_FACTOR_WRONG')
      return {
        accept: async (tx) => {
          if (!(await ticket.use(tx))) throw new ApiError('CHALLENGE_EXPIRED')
          await totp.add(tx, ownerId, setup.secret, step)
          return recoveryCodes.replace(tx, ownerId)
        },
      }
    },
  }
}
