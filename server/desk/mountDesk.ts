import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { createIssuedCodes } from '../members/issuedCodes.ts'
import type { Clock, Random } from '../ports.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { deskCallOn } from './deskCall.ts'
import { guardDesk } from './guard.ts'
import type { GuardParts } from './guard.ts'
import { mountMembersDesk } from './memberDesk.ts'
import type { MemberDeskParts } from './memberDesk.ts'
import { createNames } from './names.ts'
import { mountReviews } from './reviews.ts'
import type { ReviewParts } from './reviews.ts'
import { mountVenueDesk } from './venueDesk.ts'
import type { VenueDeskParts } from './venueDesk.ts'
import { mountWordsDesk } from './wordsDesk.ts'
import type { WordsDeskParts } from './wordsDesk.ts'

export type DeskParts = Omit<GuardParts, 'clock'> &
  Pick<MemberDeskParts, 'ledger' | 'phones' | 'users'> &
  Pick<VenueDeskParts, 'business' | 'market' | 'site' | 'standingJobs' | 'zone'> &
  Pick<WordsDeskParts, 'content' | 'messages' | 'service'> & {
    db: Db
    clock: Clock
    random: Random
    wallet: ReviewParts['wallet'] & Pick<Wallet, 'audit'>
  }

/**
 * Customer service's calls below `/desk`, behind one guard. It reaches the rooms only through what they offer: there is
 * no call of a tick, a result, one member's rate or a balance.
 */
export function mountDesk(app: FastifyInstance, parts: DeskParts): void {
  const { db } = parts
  const { audit } = parts.wallet
  const names = createNames(db)
  const codes = createIssuedCodes({ ...parts, audit })
  app.register(
    async (scope) => {
      guardDesk(scope, parts)
      const call = deskCallOn(scope)
      mountReviews(call, { ...parts, names })
      mountMembersDesk(call, { ...parts, names, audit, codes })
      mountWordsDesk(call, { ...parts, names, audit })
      mountVenueDesk(call, { ...parts, audit })
    },
    { prefix: '/desk' },
  )
}
