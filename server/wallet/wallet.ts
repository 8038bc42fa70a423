import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { PhoneCountry } from '../../contract/phones.ts'
import { createAudit } from '../audit/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { Keys } from '../idempotency/keys.ts'
import type { Job } from '../jobs.ts'
import { createHolds } from '../ledger/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { MemberLimits } from '../limits/limits.ts'
import { mountLimits } from '../limits/mountLimits.ts'
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
import { createRoom } from '../uploads/room.ts'
import { createUploads } from '../uploads/uploads.ts'
import type { Uploads } from '../uploads/uploads.ts'
import { createVault } from '../vault.ts'
import { mountVerification } from '../verification/mountVerification.ts'
import { removeRejectedPhotos } from '../verification/retention.ts'
import { createVerifications } from '../verification/verification.ts'
import type { Verifications } from '../verification/verification.ts'
import { createWithdrawalAccounts } from './accounts.ts'
import type { WithdrawalAccounts } from './accounts.ts'
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
  /** Held by the jobs. */
  fence: Fence
  clock: Clock
  random: Random
  business: BusinessClock
  bus: MemberBus
  keys: Keys
  ledger: Ledger
  limits: MemberLimits
  messages: Pick<Messages, 'send'>
  sessions: Pick<Sessions, 'list' | 'end'>
  passwords: Passwords
  guard: PasswordGuard
  /** The secret that the members' room derives its keys from. */
  memberSecret: Uint8Array
  /** Encrypts what is personal here. */
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

/** Everything that customer service decides: money in and out, who the member is, new passwords; and their pictures. */
export type Wallet = {
  audit: Audit
  uploads: Uploads
  accounts: WithdrawalAccounts
  deposits: Deposits
  withdrawals: Withdrawals
  verifications: Verifications
  passwordRequests: PasswordRequests
  mount(app: FastifyInstance): void
  /** Before the first call is answered. */
  start(): Promise<void>
  jobs: readonly Job[]
}

const sweepEveryMs = 10 * 60_000
const dayMs = 86_400_000

export function createWallet(parts: WalletParts): Wallet {
  const { db, fence, clock, random, keys, ledger, limits, uploadKey, settings } = parts
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
  const keptMs = settings.rejectedPhotosKeptDays * dayMs
  return {
    audit,
    uploads,
    accounts,
    deposits,
    withdrawals,
    verifications,
    passwordRequests,
    mount: (app) => {
      mountWallet(app, { db, keys, deposits, withdrawals, accounts })
      const refuseWithoutRoom = createRoom({
        db,
        clock,
        dataDir: parts.dataDir,
        freeMinBytes: settings.uploadsFreeMinBytes,
        tell: (line) => app.log.warn(line),
      })
      mountUploads(app, { uploads, clock, refuseWithoutRoom })
      mountVerification(app, verifications)
      mountLimits(app, limits)
      mountPasswordRequests(app, passwordRequests)
    },
    start: () => uploads.tidy(),
    jobs: [
      { name: 'remove unused uploads', everyMs: sweepEveryMs, run: () => uploads.sweep(fence) },
      {
        name: 'remove photos of rejected verifications',
        everyMs: sweepEveryMs,
        run: () => removeRejectedPhotos({ db, fence, clock, uploads, keptMs }),
      },
    ],
  }
}
