import { scrypt, timingSafeEqual } from 'node:crypto'
import { epochMs } from '../../../contract/units.ts'
import { minuteMs } from '../../../contract/time.ts'
import type { Work, WorkAnswer } from '../../../contract/work.ts'
import { ApiError } from '../../platform/apiError.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { addressBlock } from '../../platform/http/rateLimiter.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { createTickets } from '../secondFactor/tickets.ts'
import { createSemaphore } from '../../platform/semaphore.ts'

/** Longer than any device needs for the work, and too short to collect challenges in advance. */
const workTtlMs = 2 * minuteMs
/**
 * One number takes a mebibyte, so that a graphics card is of little use: 3 ms on a computer, some 15 ms on a phone. Half
 * of the numbers are tried on average.
 */
const cost = { cost: 1024, blockSize: 8 } as const
const triesAtFirst = 16
/** Two seconds on a phone, four at most. */
const triesMax = 256
/** From this level on the work is as much as it gets. */
export const workLevelMax = 1 + Math.log2(triesMax / triesAtFirst)
const keyBytes = 32
/** Hex digits of each half of a key: of what is shown, and of the answer. */
const halfDigits = keyBytes
const saltBytes = 16
/** Each challenge takes one key to make. */
const keysAtOnce = 2
/** Of one address, more than log in behind one at once, and of all: a few seconds at most. */
const keysWaiting = { ownMax: 64, queueMax: 2000 } as const

/** What work is for: an answer counts for nothing else. */
export type WorkFor = { purpose: string; account: string; ip: string }
/** How much: 0 is none, and each level is twice the one before. */
export type WorkLevel = number
type Issued = { scope: string; level: WorkLevel; key: string }

/** Thrown where an attempt lacks work; {@link WorkChallenges.guard} makes the answer of it. */
class LacksWork extends Error {
  readonly level: WorkLevel
  constructor(level: WorkLevel) {
    super('work is required')
    this.level = level
  }
}

/**
 * Challenges of proof of work ({@link Work}): an attacker spends processor time on each guess, and other members do
 * not. A challenge is a ticket, so every node can check its answer, and the database stores those that were used.
 */
export type WorkChallenges = {
  /**
   * Runs what may need work. Without a right answer it throws `WORK_REQUIRED` with a new challenge: this also covers an
   * answer that is wrong, used, expired or for another purpose.
   */
  guard<T>(of: WorkFor, run: () => Promise<T>): Promise<T>
  /**
   * Inside {@link guard}: uses the answer up.
   * @param leastLevel answers of challenges below it do not count; default: all count
   */
  require(
    tx: Db | DbTransaction,
    of: WorkFor,
    answer: WorkAnswer | undefined,
    levels: { level: WorkLevel; leastLevel?: WorkLevel },
  ): Promise<void>
}

/** The work of what an address does more often than it may for free: half a second on a computer, a second on a phone. */
const addressWorkLevel = 4

/** Lets a request pass that is free, or whose answer is right. @throws ApiError `WORK_REQUIRED` */
export async function passUnlessWork(
  { db, works }: { db: Db; works: WorkChallenges },
  isFree: boolean,
  of: Omit<WorkFor, 'account'>,
  answer: WorkAnswer | undefined,
): Promise<void> {
  const workFor = { ...of, account: '' }
  if (!isFree)
    await works.guard(workFor, () => works.require(db, workFor, answer, { level: addressWorkLevel }))
}

type Parts = { db: Db; clock: Pick<Clock, 'now'>; random: Random; secret: Uint8Array }

export function createWorkChallenges({ db, clock, random, secret }: Parts): WorkChallenges {
  const tickets = createTickets({ db, clock, random, secret })
  const inTurn = createSemaphore(keysAtOnce, keysWaiting)
  const issue = async (of: WorkFor, level: WorkLevel): Promise<Work> => {
    const tries = Math.min(triesMax, triesAtFirst * 2 ** (level - 1))
    const salt = Buffer.from(random.bytes(saltBytes))
    // A power of two, so every number is equally likely.
    const number = (random.bytes(1)[0] ?? 0) % tries
    const key = (await inTurn(() => keyOf(salt, number), { owner: addressBlock(of.ip) })).toString('hex')
    const issued: Issued = { scope: scopeOf(of), level, key: key.slice(halfDigits) }
    const { id, expiresAt } = tickets.issue(of.purpose, issued, workTtlMs)
    const target = key.slice(0, halfDigits)
    const shown = { algorithm: 'scrypt', ...cost, salt: salt.toString('hex'), target, tries } as const
    return { id, expiresAt: epochMs(expiresAt), ...shown }
  }
  return {
    guard: async (of, run) => {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof LacksWork)) throw error
        throw new ApiError('WORK_REQUIRED', { params: { work: await issue(of, error.level) } })
      }
    },
    require: async (tx, of, answer, { level, leastLevel = 0 }) => {
      const ticket = answer && tickets.read(of.purpose, answer.id)
      if (!ticket) throw new LacksWork(level)
      const issued = ticket.value as Issued
      const isRight =
        issued.scope === scopeOf(of) && issued.level >= leastLevel && isSame(issued.key, answer.key)
      if (!isRight || !(await ticket.use(tx))) throw new LacksWork(level)
    },
  }
}

const scopeOf = ({ account, ip }: WorkFor): string => JSON.stringify([account, addressBlock(ip)])

function isSame(key: string, given: string): boolean {
  const [own, other] = [Buffer.from(key), Buffer.from(given)]
  return own.length === other.length && timingSafeEqual(own, other)
}

/** The native form of `workKey`, off the main thread. */
const keyOf = (salt: Buffer, number: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N: cost.cost, r: cost.blockSize, p: 1 }
    scrypt(String(number), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
