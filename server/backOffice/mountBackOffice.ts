import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { createIssuedCodes } from '../members/issuedCodes.ts'
import type { Clock, Random } from '../ports.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { createBackOfficeCall } from './backOfficeCall.ts'
import { guardBackOffice } from './guard.ts'
import type { GuardParts } from './guard.ts'
import { mountMemberAdmin } from './memberAdmin.ts'
import type { MemberAdminParts } from './memberAdmin.ts'
import { createIdResolver } from './idResolver.ts'
import { mountReviews } from './reviews.ts'
import type { ReviewParts } from './reviews.ts'
import { mountVenueAdmin } from './venueAdmin.ts'
import type { VenueAdminParts } from './venueAdmin.ts'
import { mountContentAdmin } from './contentAdmin.ts'
import type { ContentAdminParts } from './contentAdmin.ts'

export type BackOfficeParts = Omit<GuardParts, 'clock'> &
  Pick<MemberAdminParts, 'ledger' | 'phones' | 'users'> &
  Pick<VenueAdminParts, 'business' | 'market' | 'venueStatus' | 'dailyJobs' | 'zone'> &
  Pick<ContentAdminParts, 'content' | 'messages' | 'service'> & {
    db: Db
    clock: Clock
    random: Random
    wallet: ReviewParts['wallet'] & Pick<Wallet, 'audit'>
  }

/**
 * The back office routes below `/desk`, behind one guard. They use only the public functions of the modules: no route
 * can change a tick, a result, one member's rate or a balance.
 */
export function mountBackOffice(app: FastifyInstance, parts: BackOfficeParts): void {
  const { db } = parts
  const { audit } = parts.wallet
  const idResolver = createIdResolver(db)
  const codes = createIssuedCodes({ ...parts, audit })
  app.register(
    async (scope) => {
      guardBackOffice(scope, parts)
      const call = createBackOfficeCall(scope)
      mountReviews(call, { ...parts, idResolver })
      mountMemberAdmin(call, { ...parts, idResolver, audit, codes })
      mountContentAdmin(call, { ...parts, idResolver, audit })
      mountVenueAdmin(call, { ...parts, audit })
    },
    { prefix: '/desk' },
  )
}
