import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { PhoneCountry } from '../../contract/phones.ts'
import { dayMs, minuteMs } from '../../contract/time.ts'
import { createAudit } from '../audit/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { IdempotencyKeys } from '../idempotency/idempotencyKeys.ts'
import type { Job } from '../jobs.ts'
import { createHolds } from '../ledger/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import { mountSelfLimits } from '../selfLimits/mountSelfLimits.ts'
import { mountPasswordRequests } from '../members/mountPasswordRequests.ts'
import type { PasswordGuard } from '../members/passwordGuard.ts'
import { createPasswordRequests } from '../members/passwordRequests.ts'
import type { PasswordRequests } from '../members/passwordRequests.ts'
import type { Passwords } from '../members/passwords.ts'
import { createPhones } from '../members/phone.ts'
import type { Sessions } from '../members/sessions.ts'
import type { Messages } from '../messages/messages.ts'
import type { Clock, MemberBus, Random } from '../ports.ts'
import { createUploadFiles } from '../uploads/files.ts'
import { mountUploads } from '../uploads/mountUploads.ts'
import { createCapacityCheck } from '../uploads/uploadCapacity.ts'
import { createUploads } from '../uploads/uploads.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { createVault } from '../vault.ts'
import { mountVerification } from '../verification/mountVerification.ts'
import { removeRejectedPhotos } from '../verification/photoRetention.ts'
import { createVerifications } from '../verification/verification.ts'
import type { Verifications } from '../verification/verification.ts'
import { createWithdrawalAccounts } from './withdrawalAccounts.ts'
import type { WithdrawalAccounts } from './withdrawalAccounts.ts'
import { createDepositMethods } from './depositMethods.ts'
import type { DepositMethodSetting } from './depositMethods.ts'
import { createDeposits } from './deposits.ts'
import type { Deposits } from './deposits.ts'
import { mountWallet } from './mountWallet.ts'
import { createWithdrawals } from './withdrawals.ts'
import type { Withdrawals } from './withdrawals.ts'
import { createWithdrawalViews } from './withdrawalView.ts'

export type WalletParts = {
  db: Db
  /** Used by the jobs. */
  fence: Fence
  clock: Clock
  random: Random
  business: BusinessClock
  bus: MemberBus
  idempotencyKeys: IdempotencyKeys
  ledger: Ledger
  selfLimits: SelfLimitPolicy
  messages: Pick<Messages, 'send'>
  sessions: Pick<Sessions, 'list' | 'end'>
  passwords: Passwords
  guard: PasswordGuard
  /** The secret from which the members module derives its keys. */
  memberSecret: Uint8Array
  /** Encrypts personal data. */
  uploadKey: Uint8Array
  dataDir: string
  settings: {
    practice: boolean
    currency: string
    depositMethods: readonly DepositMethodSetting[]
    passwordSelfService: boolean
    phoneRules: readonly PhoneCountry[]
    rejectedPhotosKeptDays: number
    uploadsFreeMinBytes: number
  }
}

/** Everything that customer service decides: deposits, withdrawals, verifications, new passwords; and their pictures. */
export type Wallet = {
  audit: Audit
  uploads: Uploads
  accounts: WithdrawalAccounts
  deposits: Deposits
  withdrawals: Withdrawals
  verifications: Verifications
  passwordRequests: PasswordRequests
  mount(app: FastifyInstance): void
  /** Call before the first request is served. */
  start(): Promise<void>
  jobs: readonly Job[]
}

const sweepEveryMs = 10 * minuteMs

export function createWallet(parts: WalletParts): Wallet {
  const { db, fence, clock, random, idempotencyKeys, ledger, selfLimits, uploadKey, settings } = parts
  const audit = createAudit({ db, clock })
  const files = createUploadFiles(join(parts.dataDir, 'uploads'), uploadKey, random)
  const uploads = createUploads({ db, clock, random, files, audit })
  const vaultOf = (purpose: string) => createVault(uploadKey, purpose, random)

  const accountVault = vaultOf('withdrawal accounts')
  const accounts = createWithdrawalAccounts({ ...parts, vault: accountVault, audit })
  const methods = createDepositMethods({ ...settings, methods: settings.depositMethods })
  const deposits = createDeposits({ ...parts, uploads, audit, methods })
  const holds = createHolds({ ledger, clock, random })
  const views = createWithdrawalViews(accountVault)
  const withdrawals = createWithdrawals({ ...parts, holds, accounts, views, audit })
  const verifications = createVerifications({ ...parts, uploads, vault: vaultOf('verification'), audit })
  const passwordRequests = createPasswordRequests({
    ...parts,
    phones: createPhones(parts.memberSecret, random),
    phoneRules: settings.phoneRules,
    audit,
    selfService: settings.passwordSelfService,
  })
  const retentionMs = settings.rejectedPhotosKeptDays * dayMs
  return {
    audit,
    uploads,
    accounts,
    deposits,
    withdrawals,
    verifications,
    passwordRequests,
    mount: (app) => {
      mountWallet(app, { db, idempotencyKeys, deposits, withdrawals, accounts })
      const assertCapacity = createCapacityCheck({
        db,
        clock,
        dataDir: parts.dataDir,
        freeMinBytes: settings.uploadsFreeMinBytes,
        warn: (line) => app.log.warn(line),
      })
      mountUploads(app, { uploads, clock, assertCapacity })
      mountVerification(app, verifications)
      mountSelfLimits(app, selfLimits)
      mountPasswordRequests(app, passwordRequests)
    },
    start: () => uploads.removeOrphans(),
    jobs: [
      { name: 'remove unused uploads', everyMs: sweepEveryMs, run: () => uploads.removeUnused(fence) },
      {
        name: 'remove photos of rejected verifications',
        everyMs: sweepEveryMs,
        run: () => removeRejectedPhotos({ db, fence, clock, uploads, retentionMs }),
      },
    ],
  }
}
