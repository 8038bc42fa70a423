import { eq } from 'drizzle-orm'
import type { Passkey } from '../../../contract/passkeys.ts'
import type { SecondFactors as SecondFactorsView } from '../../../contract/secondFactors.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { member } from '../../platform/db/schema.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { MessageDraft, Messages } from '../../notices/index.ts'
import type { Principal } from '../../platform/ports.ts'
import type { WithdrawalRests } from '../../money/index.ts'
import { viewPasskey, type FactorCore } from './factorCore.ts'
import type { PasskeyOwner, CheckedRegistration } from './passkeyRegistration.ts'
import type { Ticket } from './tickets.ts'
import type { TotpSetup } from './totp.ts'
import type { MembersConfig } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

/** The page on which members see and change their second factors. */
const link = 'pages/security/security'

/**
 * The changes of a member's second factors. Each sends a message and ends the member's other sessions; a new factor
 * also pauses withdrawals. What confirms a change is checked by its route.
 */
export type FactorChanges = {
  view(memberId: string): Promise<SecondFactorsView>
  /** The account and nickname that a device shows beside a passkey. */
  owner(memberId: string): Promise<PasskeyOwner>
  addPasskey(principal: Principal, name: string, checked: CheckedRegistration): Promise<Passkey>
  /** Throws `NOT_FOUND`. */
  renamePasskey(memberId: string, id: string, name: string): Promise<Passkey>
  /** Throws `NOT_FOUND`. */
  removePasskey(principal: Principal, id: string): Promise<void>
  /** Before a new factor. Throws `WITHDRAWALS_REST` for some time after a recovered password. */
  assertMayAdd(memberId: string): Promise<void>
  /** Throws `TOTP_ALREADY_ADDED` if there is an app already. */
  beginTotp(principal: Principal): Promise<TotpSetup & Ticket>
  /** Returns the recovery codes. Throws `CHALLENGE_EXPIRED`, `SECOND_FACTOR_WRONG`, `TOTP_ALREADY_ADDED`. */
  addTotp(principal: Principal, setupId: string, code: string): Promise<string[]>
  /** Removes the app and the recovery codes. Throws `NOT_FOUND` without an app. */
  removeTotp(principal: Principal): Promise<void>
  /** Throws `NOT_FOUND` without an app. */
  replaceRecoveryCodes(principal: Principal): Promise<string[]>
}

export type FactorChangesParts = {
  db: Db
  factors: FactorCore
  messages: Pick<Messages, 'send'>
  /** Withdrawals are paused after a new factor. */
  withdrawalRests: Pick<WithdrawalRests, 'begin' | 'assertNotRecovered'>
  sessions: Pick<Sessions, 'endAll'>
  settings: OperatorSettings<MembersConfig, 'name'>
}

export function createFactorChanges(parts: FactorChangesParts): FactorChanges {
  const { db, factors } = parts
  const { passkeys } = factors
  const owner: FactorChanges['owner'] = async (memberId) => {
    const [row] = await db.select().from(member).where(eq(member.id, memberId))
    if (!row) throw new Error('The session has no member.')
    return { id: row.id, account: row.account, displayName: row.nickname }
  }
  return {
    owner,
    view: (memberId) => factors.view(memberId),
    assertMayAdd: (memberId) => parts.withdrawalRests.assertNotRecovered(memberId),
    addPasskey: async (principal, name, checked) => {
      const message = { memberId: principal.memberId, key: 'passkeyAdded', params: { name }, link } as const
      return viewPasskey(
        await changeFactors(
          parts,
          principal,
          { isNew: true },
          (tx) => checked.accept(tx),
          () => message,
        ),
      )
    },
    renamePasskey: async (memberId, id, name) => {
      const renamed = await passkeys.rename(memberId, id, name)
      if (!renamed) throw new ApiError('NOT_FOUND')
      return viewPasskey(renamed)
    },
    removePasskey: async (principal, id) => {
      const { memberId } = principal
      await changeFactors(
        parts,
        principal,
        { isNew: false },
        async (tx) => {
          const removed = await passkeys.remove(tx, memberId, id)
          if (!removed) throw new ApiError('NOT_FOUND')
          return removed
        },
        ({ name }) => ({ memberId, key: 'passkeyRemoved', params: { name }, link }),
      )
    },
    ...createTotpChanges(parts, owner),
  }
}

type TotpChanges = Pick<FactorChanges, 'beginTotp' | 'addTotp' | 'removeTotp' | 'replaceRecoveryCodes'>

function createTotpChanges(parts: FactorChangesParts, owner: FactorChanges['owner']): TotpChanges {
  const { db, factors, settings } = parts
  const { totp, totpRegistration, recoveryCodes } = factors
  const assertNone = async (on: Db | DbTransaction, memberId: string): Promise<void> => {
    if ((await totp.addedAt(on, memberId)) !== null) throw new ApiError('TOTP_ALREADY_ADDED')
  }
  return {
    beginTotp: async ({ memberId, sessionId }) => {
      await assertNone(db, memberId)
      return totpRegistration.begin(settings.operatorConfig.name, await owner(memberId), sessionId)
    },
    addTotp: async (principal, setupId, code) => {
      const { memberId, sessionId } = principal
      const checked = totpRegistration.check(memberId, sessionId, setupId, code)
      const add = async (tx: DbTransaction): Promise<string[]> => {
        await assertNone(tx, memberId)
        return checked.accept(tx)
      }
      const message = { memberId, key: 'totpAdded', params: {}, link } as const
      return changeFactors(parts, principal, { isNew: true }, add, () => message)
    },
    removeTotp: (principal) => {
      const { memberId } = principal
      const remove = async (tx: DbTransaction): Promise<void> => {
        if (!(await totp.remove(tx, memberId))) throw new ApiError('NOT_FOUND')
        await recoveryCodes.remove(tx, memberId)
      }
      const message = { memberId, key: 'totpRemoved', params: {}, link } as const
      return changeFactors(parts, principal, { isNew: false }, remove, () => message)
    },
    replaceRecoveryCodes: (principal) => {
      const { memberId } = principal
      const replace = async (tx: DbTransaction): Promise<string[]> => {
        if ((await totp.addedAt(tx, memberId)) === null) throw new ApiError('NOT_FOUND')
        return recoveryCodes.replace(tx, memberId)
      }
      const message = { memberId, key: 'recoveryCodesReplaced', params: {}, link } as const
      return changeFactors(parts, principal, { isNew: false }, replace, () => message)
    },
  }
}

/** The member's row is locked: a login at the same time sees the new factor, or its session is among those that end. */
async function changeFactors<T>(
  { db, messages, withdrawalRests, sessions }: FactorChangesParts,
  principal: Principal,
  { isNew }: { isNew: boolean },
  work: (tx: DbTransaction) => Promise<T>,
  messageOf: (result: T) => MessageDraft,
): Promise<T> {
  const { memberId, sessionId } = principal
  const { result, notify, endSockets } = await db.transaction(async (tx) => {
    await tx.select({ id: member.id }).from(member).where(eq(member.id, memberId)).for('update')
    if (isNew) await withdrawalRests.assertNotRecovered(memberId, tx)
    const result = await work(tx)
    if (isNew) await withdrawalRests.begin(tx, memberId, 'second_factor')
    const endSockets = await sessions.endAll(tx, memberId, sessionId)
    return { result, endSockets, notify: await messages.send(tx, messageOf(result)) }
  })
  notify()
  endSockets()
  return result
}
