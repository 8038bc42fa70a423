import type { FastifyInstance } from 'fastify'
import type { Audit } from '../audit/audit.ts'
import type { Settings } from '../config.ts'
import { createIssuedCodes } from '../members/issuedCodes.ts'
import type { Module } from '../module.ts'
import type { Secrets } from '../secrets.ts'
import { createBackOfficeCall } from './backOfficeCall.ts'
import { guardBackOffice } from './guard.ts'
import type { GuardParts } from './guard.ts'
import { createStaff } from '../staff/staff.ts'
import type { StaffParts } from '../staff/staff.ts'
import { mountMemberAdmin } from './memberAdmin.ts'
import type { MemberAdminParts } from './memberAdmin.ts'
import { createIdResolver } from './idResolver.ts'
import { mountReviews } from './reviews.ts'
import type { ReviewParts } from './reviews.ts'
import { mountVenueAdmin } from './venueAdmin.ts'
import type { VenueAdminParts } from './venueAdmin.ts'
import { mountStaffAdmin } from './staffAdmin.ts'
import type { StaffAdminParts } from './staffAdmin.ts'
import { mountContentAdmin } from './contentAdmin.ts'
import type { ContentAdminParts } from './contentAdmin.ts'

export type BackOfficeParts = Pick<MemberAdminParts, 'ledger' | 'phones' | 'users'> &
  Pick<VenueAdminParts, 'business' | 'market' | 'venueStatus' | 'dailyJobs'> &
  Pick<ContentAdminParts, 'content' | 'messages' | 'service'> &
  Omit<ReviewParts, 'idResolver'> &
  Omit<StaffAdminParts, 'staff'> &
  StaffParts & {
    audit: Audit
    secrets: Pick<Secrets, 'backOfficeKey'>
    settings: Pick<Settings, 'backOfficeRemote'>
  }

/**
 * The back office routes below `/desk`, behind one guard. They use only the public functions of the modules: no route
 * can change a tick, a result, one member's rate or a balance.
 */
export function createBackOffice(parts: BackOfficeParts): Module {
  const { db, clock, settings } = parts
  const idResolver = createIdResolver(db)
  const codes = createIssuedCodes(parts)
  const staff = createStaff(parts)
  const guardParts: GuardParts = {
    clock,
    backOfficeKey: parts.secrets.backOfficeKey,
    allowsRemote: settings.backOfficeRemote,
    mode: settings.mode,
    staff,
  }
  const mountAll = async (scope: FastifyInstance): Promise<void> => {
    guardBackOffice(scope, guardParts)
    const call = createBackOfficeCall(scope)
    mountReviews(call, { ...parts, idResolver })
    mountMemberAdmin(call, { ...parts, idResolver, codes })
    mountContentAdmin(call, { ...parts, idResolver })
    mountVenueAdmin(call, { ...parts, zone: settings.zone })
    mountStaffAdmin(call, { ...parts, staff })
  }
  return { mount: (app) => void app.register(mountAll, { prefix: '/desk' }), jobs: staff.jobs ?? [] }
}
