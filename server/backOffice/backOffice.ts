import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { minuteMs } from '../../contract/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Settings } from '../config.ts'
import { createIssuedCodes } from '../members/issuedCodes.ts'
import type { Module } from '../module.ts'
import { createSealedIndex } from '../sealedIndex.ts'
import type { Secrets } from '../secrets.ts'
import { createBackOfficeCall } from './backOfficeCall.ts'
import { guardBackOffice } from './guard.ts'
import type { GuardParts } from './guard.ts'
import { createStaff } from '../staff/staff.ts'
import type { StaffParts } from '../staff/staff.ts'
import { mountMemberAdmin } from './memberAdmin.ts'
import type { MemberAdminParts } from './memberAdmin.ts'
import { createIdResolver } from './idResolver.ts'
import { createFourEyes } from '../fourEyes/fourEyes.ts'
import type { FourEyesParts } from '../fourEyes/fourEyes.ts'
import { createActs } from './acts.ts'
import type { ActsParts } from './acts.ts'
import { mountFreezes } from './freezeCalls.ts'
import { mountProposals } from './proposals.ts'
import { mountLimits } from './limitCalls.ts'
import type { LimitParts } from './limitCalls.ts'
import { createWithdrawalThreshold } from './withdrawalThreshold.ts'
import type { WithdrawalThresholdParts } from './withdrawalThreshold.ts'
import { mountMemberRecord } from './memberRecord.ts'
import type { MemberRecordParts } from './memberRecord.ts'
import { mountQueues } from './queueCalls.ts'
import { createQueues } from './queues.ts'
import { mountReviews } from './reviews.ts'
import type { ReviewParts } from './reviews.ts'
import { mountVenueAdmin } from './venueAdmin.ts'
import type { VenueAdminParts } from './venueAdmin.ts'
import { mountStaffAdmin } from './staffAdmin.ts'
import { mountStaffSession } from './staffSession.ts'
import type { StaffSessionParts } from './staffSession.ts'
import { mountAudit } from './auditCalls.ts'
import type { AuditCallsParts } from './auditCalls.ts'
import { mountContentAdmin, mountStaffPictures } from './contentAdmin.ts'
import type { ContentAdminParts } from './contentAdmin.ts'

export type BackOfficeParts = Pick<
  MemberAdminParts,
  'ledger' | 'phones' | 'users' | 'freezes' | 'selfLimits'
> &
  Pick<VenueAdminParts, 'business' | 'market' | 'venueStatus' | 'dailyJobs'> &
  Pick<ContentAdminParts, 'content' | 'messages' | 'service' | 'uploads'> &
  Omit<ReviewParts, 'idResolver' | 'queues' | 'acts'> &
  Omit<MemberRecordParts, 'idResolver' | 'sealedIndex'> &
  Omit<StaffSessionParts, 'staff'> &
  Omit<AuditCallsParts, 'idResolver' | 'downloads'> &
  Omit<ActsParts, 'staff' | 'fourEyes' | 'withdrawalThreshold'> &
  Pick<LimitParts, 'settings'> &
  Pick<WithdrawalThresholdParts, 'settings'> &
  Omit<FourEyesParts, 'countActiveStaff'> &
  StaffParts & {
    audit: Audit
    secrets: Pick<Secrets, 'backOfficeKey' | 'uploadKey'>
    settings: Pick<Settings, 'backOfficeRemote' | 'staffSecondFactor'>
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
  const countActiveStaff = async (): Promise<number> => (await staff.accounts.countActive()).all
  const fourEyes = createFourEyes({ ...parts, countActiveStaff })
  const withdrawalThreshold = createWithdrawalThreshold(parts)
  const acts = createActs({ ...parts, staff, fourEyes, withdrawalThreshold })
  const queues = createQueues(parts)
  const sealedIndex = createSealedIndex(parts.secrets.uploadKey)
  const guardParts: GuardParts = {
    clock,
    backOfficeKey: parts.secrets.backOfficeKey,
    allowsRemote: settings.backOfficeRemote,
    mode: settings.mode,
    requiresSecondFactor: settings.staffSecondFactor,
    staff,
  }
  const mountAll = async (scope: FastifyInstance): Promise<void> => {
    guardBackOffice(scope, guardParts)
    const call = createBackOfficeCall(scope)
    mountReviews(call, { ...parts, acts, idResolver, queues })
    mountFreezes(call, { ...parts, acts, idResolver })
    mountProposals(call, { fourEyes, queues })
    mountMemberAdmin(call, { ...parts, idResolver, codes })
    mountMemberRecord(call, { ...parts, idResolver, sealedIndex })
    mountQueues(call, queues)
    mountContentAdmin(call, { ...parts, idResolver, queues })
    await scope.register(async (forms) => {
      await forms.register(multipart)
      mountStaffPictures(createBackOfficeCall(forms), parts)
    })
    mountLimits(call, { ...parts, acts, withdrawalThreshold })
    mountVenueAdmin(call, { ...parts, zone: settings.zone })
    mountAudit(call, { ...parts, idResolver, downloads: scope.requestContext.downloads })
    mountStaffAdmin(call, { staff, acts })
    mountStaffSession(call, { ...parts, staff })
  }
  const closeOver = async (): Promise<void> => {
    await queues.prune(parts.fence)
    await fourEyes.expire(parts.fence)
  }
  return {
    mount: (app) => void app.register(mountAll, { prefix: '/desk' }),
    jobs: [
      ...(staff.jobs ?? []),
      { name: 'end claims and proposals that are over', everyMs: minuteMs, run: closeOver },
    ],
  }
}
