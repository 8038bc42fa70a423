import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import type { passkeyCreationOptions, passkeyRequestOptions } from '../../../contract/passkeys.ts'
import { secondFactorRoutes } from '../../../contract/secondFactors.ts'
import { minuteMs } from '../../../contract/time.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import type { Confirmations } from '../../platform/http/confirmations.ts'
import { createFactorChanges, type FactorChanges, type FactorChangesParts } from './factorChanges.ts'
import { partyOf } from '../../platform/http/requestParty.ts'

/** Passkeys, authenticator app and recovery codes of members. */
export type SecondFactors = { changes: FactorChanges }

export type SecondFactorsParts = FactorChangesParts & {
  confirmations: Confirmations
  /** Used by the job. */
  fence: Fence
}

const pruneEveryMs = 10 * minuteMs

export function createSecondFactors(parts: SecondFactorsParts): SecondFactors & Module {
  const { fence, factors } = parts
  const changes = createFactorChanges(parts)
  return {
    changes,
    mount: (app) => {
      mountPasskeys(app, parts, changes)
      mountCodes(app, parts, changes)
    },
    jobs: [
      { name: 'prune used tickets', everyMs: pruneEveryMs, run: () => factors.tickets.prune(fence) },
      { name: 'prune wrong codes of members', everyMs: pruneEveryMs, run: () => factors.codes.prune(fence) },
    ],
  }
}

/** The calls about passkeys, for members who are logged in. */
function mountPasskeys(
  app: FastifyInstance,
  { factors, confirmations, settings }: SecondFactorsParts,
  changes: FactorChanges,
): void {
  const { registration, assertion } = factors.passkeys

  mount(app, secondFactorRoutes.secondFactors, ({ member }) => changes.view(member.memberId))
  mount(app, secondFactorRoutes.createPasskeyChallenge, async ({ member, body, request }) => {
    const issued = await assertion.begin(partyOf(request), body.purpose, member.memberId)
    return { ...issued, options: issued.options as z.input<typeof passkeyRequestOptions> }
  })
  mount(app, secondFactorRoutes.beginPasskey, async ({ member, body, request }) => {
    const party = { ...partyOf(request), name: settings.operatorConfig.name }
    await confirmations.security(member.memberId, body, () => party)
    await changes.assertMayAdd(member.memberId)
    const issued = await registration.begin(party, await changes.owner(member.memberId), member.sessionId)
    return { ...issued, options: issued.options as z.input<typeof passkeyCreationOptions> }
  })
  mount(app, secondFactorRoutes.addPasskey, async ({ member, body, request }) => {
    const { memberId, sessionId } = member
    const checked = await registration.check(partyOf(request), memberId, sessionId, body)
    return changes.addPasskey(member, body.name, checked)
  })
  mount(app, secondFactorRoutes.renamePasskey, ({ member, params, body }) =>
    changes.renamePasskey(member.memberId, params.id, body.name),
  )
  mount(app, secondFactorRoutes.removePasskey, async ({ member, params, body, request }) => {
    await confirmations.security(member.memberId, body, () => partyOf(request))
    await changes.removePasskey(member, params.id)
    return undefined
  })
}

/** The calls about the authenticator app and the recovery codes. */
function mountCodes(
  app: FastifyInstance,
  { confirmations }: SecondFactorsParts,
  changes: FactorChanges,
): void {
  mount(app, secondFactorRoutes.beginTotp, async ({ member, body, request }) => {
    await confirmations.security(member.memberId, body, () => partyOf(request))
    await changes.assertMayAdd(member.memberId)
    const { id, expiresAt, secret, uri } = await changes.beginTotp(member)
    return { setupId: id, expiresAt, secret, uri }
  })
  mount(app, secondFactorRoutes.addTotp, async ({ member, body }) => ({
    recoveryCodes: await changes.addTotp(member, body.setupId, body.code),
  }))
  mount(app, secondFactorRoutes.removeTotp, async ({ member, body, request }) => {
    await confirmations.security(member.memberId, body, () => partyOf(request))
    await changes.removeTotp(member)
    return undefined
  })
  mount(app, secondFactorRoutes.replaceRecoveryCodes, async ({ member, body, request }) => {
    await confirmations.security(member.memberId, body, () => partyOf(request))
    return { recoveryCodes: await changes.replaceRecoveryCodes(member) }
  })
}
