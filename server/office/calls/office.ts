import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { minuteMs } from '../../../contract/time.ts'
import type { ActLog } from '../../notices/index.ts'
import { createIssuedCodes, createMemberNotes } from '../../members/index.ts'
import type { Module } from '../../platform/module.ts'
import { createSealedIndex } from '../../platform/sealedIndex.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createOfficeCall } from './officeCall.ts'
import { guardCalls, type GuardParts } from './guard.ts'
import { createStaff, type StaffParts } from '../staff/staff.ts'
import { mountMemberAdmin, type MemberAdminParts } from './memberAdmin.ts'
import { createIdResolver } from './idResolver.ts'
import { createFourEyes, type FourEyesParts } from '../fourEyes/fourEyes.ts'
import { createActs, type ActsParts } from './acts.ts'
import { mountFreezes } from './freezeCalls.ts'
import { mountProposals } from './proposals.ts'
import { mountVenueLimits, type VenueLimitParts } from './venueLimitCalls.ts'
import { createDecisionLimits, type DecisionLimitsParts } from './decisionLimits.ts'
import { mountMemberHistory, type MemberHistoryParts } from './memberHistory.ts'
import { mountMemberFacts, type MemberFactsParts } from './memberFacts.ts'
import { mountMemberRecord, type MemberRecordParts } from './memberRecord.ts'
import { mountQueues } from './queueCalls.ts'
import { createRequestFacts } from './requestFacts.ts'
import { createSeenFacts } from './seenFacts.ts'
import { createStandingDangers } from './standingDangers.ts'
import { createQueues } from './queues.ts'
import { mountReviews, type ReviewParts } from './reviews.ts'
import { mountVenueAdmin, type VenueAdminParts } from './venueAdmin.ts'
import { mountStaffAdmin, type StaffAdminParts } from './staffAdmin.ts'
import { mountStaffSession, type StaffSessionParts } from './staffSession.ts'
import { mountActLog, type ActLogCallsParts } from './actLogCalls.ts'
import { mountContentAdmin, mountStaffPictures, type ContentAdminParts } from './contentAdmin.ts'
import type { OfficeSettings } from '../settings.ts'

export type OfficeParts = Pick<
  MemberAdminParts,
  'ledger' | 'phones' | 'users' | 'freezes' | 'selfLimits' | 'settings'
> &
  Pick<VenueAdminParts, 'business' | 'market' | 'venueStatus' | 'dailyJobs'> &
  Pick<ContentAdminParts, 'content' | 'messages' | 'service' | 'uploads'> &
  Omit<ReviewParts, 'idResolver' | 'queues' | 'acts' | 'requestFacts' | 'seen' | 'dangers'> &
  Omit<MemberFactsParts, 'notes'> &
  Omit<MemberRecordParts, 'idResolver' | 'sealedIndex'> &
  Omit<MemberHistoryParts, 'idResolver' | 'notes'> &
  Omit<StaffSessionParts, 'staff'> &
  Omit<ActLogCallsParts, 'idResolver' | 'downloads'> &
  Omit<ActsParts, 'staff' | 'fourEyes' | 'decisionLimits' | 'seen' | 'dangers'> &
  Pick<VenueLimitParts, 'settings'> &
  Pick<StaffAdminParts, 'settings'> &
  Pick<DecisionLimitsParts, 'settings'> &
  Omit<FourEyesParts, 'countActiveStaff'> &
  StaffParts & {
    actLog: ActLog
    secrets: Pick<Secrets, 'deskKey' | 'uploadKey'>
    settings: Pick<OfficeSettings, 'deskRemote' | 'staffSecondFactor'>
  }

/**
 * The office routes below `/desk`, behind one guard. They use only the public functions of the modules: no route
 * can change a tick, a result, one member's rate or a balance.
 */
export function createOffice(parts: OfficeParts): Module {
  const { db, clock, settings } = parts
  const idResolver = createIdResolver(db)
  const codes = createIssuedCodes(parts)
  const staff = createStaff(parts)
  const countActiveStaff = async (): Promise<number> => (await staff.accounts.countActive()).all
  const fourEyes = createFourEyes({ ...parts, countActiveStaff })
  const decisionLimits = createDecisionLimits(parts)
  const sealedIndex = createSealedIndex(parts.secrets.uploadKey)
  const requestFacts = createRequestFacts({ ...parts, fourEyes, sealedIndex })
  const notes = createMemberNotes(parts)
  const seen = createSeenFacts({ ...parts, notes, requestFacts })
  const dangers = createStandingDangers({ ...parts, notes, requestFacts })
  const acts = createActs({ ...parts, staff, fourEyes, decisionLimits, seen, dangers })
  const queues = createQueues(parts)
  const guardParts: GuardParts = {
    clock,
    actLog: parts.actLog,
    deskKey: parts.secrets.deskKey,
    allowsRemote: settings.deskRemote,
    mode: settings.mode,
    requiresSecondFactor: settings.staffSecondFactor,
    staff,
  }
  const mountAll = async (scope: FastifyInstance): Promise<void> => {
    guardCalls(scope, guardParts)
    const call = createOfficeCall(scope)
    mountReviews(call, { ...parts, acts, idResolver, queues, requestFacts, seen, dangers })
    mountFreezes(call, { ...parts, acts, idResolver })
    mountProposals(call, { ...parts, fourEyes, queues, seen })
    mountMemberAdmin(call, { ...parts, idResolver, codes, fourEyes })
    mountMemberHistory(call, { ...parts, idResolver, notes })
    mountMemberFacts(call, { ...parts, idResolver, notes, seen })
    mountMemberRecord(call, { ...parts, idResolver, sealedIndex })
    mountQueues(call, { ...parts, queues })
    mountContentAdmin(call, { ...parts, idResolver, queues })
    await scope.register(async (forms) => {
      await forms.register(multipart)
      mountStaffPictures(createOfficeCall(forms), parts)
    })
    mountVenueLimits(call, { ...parts, acts, decisionLimits })
    mountVenueAdmin(call, { ...parts, zone: settings.zone })
    mountActLog(call, { ...parts, idResolver, downloads: scope.requestContext.downloads })
    mountStaffAdmin(call, { ...parts, staff, acts })
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
