import { setting } from './0000-setting.ts'
import { market } from './0001-market.ts'
import { members } from './0010-members.ts'
import { ledger } from './0011-ledger.ts'
import { idempotency } from './0012-idempotency.ts'
import { orders } from './0013-orders.ts'
import { audit } from './0030-audit.ts'
import { uploads } from './0031-uploads.ts'
import { wallet } from './0032-wallet.ts'
import { verification } from './0033-verification.ts'
import { limits } from './0034-limits.ts'
import { passwordRequests } from './0035-password-requests.ts'
import { withinLimits } from './0036-within-limits.ts'
import { fund } from './0050-fund.ts'
import { messages } from './0051-messages.ts'
import { content } from './0052-content.ts'
import { openingCodes } from './0060-opening-codes.ts'
import { revokedCodes } from './0061-revoked-codes.ts'
import { photosRemoved } from './0062-photos-removed.ts'
import { fundMadeOn } from './0063-fund-made-on.ts'
import { lease } from './0070-lease.ts'
import { logCut } from './0071-log-cut.ts'
import { sources } from './0075-sources.ts'
import { refundTally } from './0076-refund-tally.ts'
import { ordersClosed } from './0090-orders-closed.ts'
import { orderSource } from './0091-order-source.ts'
import { uploadsOfMember } from './0092-uploads-of-member.ts'
import { averagedExit } from './0093-averaged-exit.ts'
import { loginAttempts } from './0100-login-attempts.ts'
import { resultOutbox } from './0101-result-outbox.ts'
import { publicLog } from './0110-public-log.ts'
import { outcomeTally } from './0120-outcome-tally.ts'
import { secondFactors } from './0130-second-factors.ts'
import { withdrawalRest } from './0135-withdrawal-rest.ts'
import { passwordRecovery } from './0136-password-recovery.ts'
import { loginHistory } from './0137-login-history.ts'
import { staff } from './0140-staff.ts'
import { queues } from './0141-queues.ts'
import { fourEyes } from './0142-four-eyes.ts'
import { closedAccounts } from './0143-closed-accounts.ts'
import { staffFactors } from './0144-staff-factors.ts'
import { auditChain } from './0145-audit-chain.ts'
import { staffPictures } from './0146-staff-pictures.ts'
import { keptExclusion } from './0147-kept-exclusion.ts'
import { erasure } from './0148-erasure.ts'
import { contentVersions } from './0149-content-versions.ts'
import { logReading } from './0150-log-reading.ts'
import { resultsFollowLog } from './0151-results-follow-log.ts'
import { postingsHaveCauses } from './0152-postings-have-causes.ts'
import { runRoles } from './0153-run-roles.ts'
import { runRoleGuards } from './0155-run-role-guards.ts'
import { flushesReadOnce } from './0156-flushes-read-once.ts'
import { priceAlerts } from './0165-price-alerts.ts'
import { push } from './0166-push.ts'
import { messageKinds } from './0170-message-kinds.ts'
import { weekAndMonthLimits } from './0171-week-and-month-limits.ts'
import { decidedByOffice } from './0172-decided-by-office.ts'
import { productTerms } from './0173-product-terms.ts'
import { twoPersons } from './0174-two-persons.ts'
import { fundRates } from './0175-fund-rates.ts'
import { twoPersonsNamed } from './0176-two-persons-named.ts'
import { decidedByPersons } from './0177-decided-by-persons.ts'
import { ownersWithoutSuperuser } from './0178-owners-without-superuser.ts'
import { resultsBehindLog } from './0179-results-behind-log.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order of its number. Add new ones at the end; never edit an applied one. */
export const migrations: readonly Migration[] = [
  setting,
  market,
  members,
  ledger,
  idempotency,
  orders,
  audit,
  uploads,
  wallet,
  verification,
  limits,
  passwordRequests,
  withinLimits,
  fund,
  messages,
  content,
  openingCodes,
  revokedCodes,
  photosRemoved,
  fundMadeOn,
  lease,
  logCut,
  sources,
  refundTally,
  ordersClosed,
  orderSource,
  uploadsOfMember,
  averagedExit,
  loginAttempts,
  resultOutbox,
  publicLog,
  outcomeTally,
  secondFactors,
  withdrawalRest,
  passwordRecovery,
  loginHistory,
  staff,
  queues,
  fourEyes,
  closedAccounts,
  staffFactors,
  auditChain,
  staffPictures,
  keptExclusion,
  erasure,
  contentVersions,
  logReading,
  resultsFollowLog,
  postingsHaveCauses,
  runRoles,
  runRoleGuards,
  flushesReadOnce,
  priceAlerts,
  push,
  messageKinds,
  weekAndMonthLimits,
  decidedByOffice,
  productTerms,
  twoPersons,
  fundRates,
  twoPersonsNamed,
  decidedByPersons,
  ownersWithoutSuperuser,
  resultsBehindLog,
]
