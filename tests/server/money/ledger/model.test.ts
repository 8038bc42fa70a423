import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { Assets } from '../../../../contract/ledger.ts'
import { businessDay } from '../../../../contract/time.ts'
import { createHolds, type Holds } from '../../../../server/money/ledger/holds.ts'
import { listLedgerEntries } from '../../../../server/money/ledger/ledgerEntries.ts'
import type { LedgerTransaction } from '../../../../server/money/ledger/post.ts'
import { fc } from '../../../support/fastCheck.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { zone } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

let holds: Holds
const venue = await withVenue()
beforeAll(async () => {
  holds = createHolds(venue)
})

const seeds = 30
const commandsPerSeed = 60

/** The expected balance of one member, by simple arithmetic. */
type Model = {
  available: number
  held: number
  stakes: number
  fund: number
  pnl: number
  today: number
  day: string
  version: number
  entries: string[]
  open: { id: string; amount: number }[]
}

type Command =
  | { kind: 'deposit' | 'stake' | 'earn'; amount: number }
  | { kind: 'settle'; stake: number; payout: number }
  | { kind: 'pay'; amount: number }
  | { kind: 'hold'; amount: number }
  | { kind: 'resolve'; outcome: 'posted' | 'voided'; twice: boolean }
  | { kind: 'wait'; hours: number }

const cents = fc.integer({ min: 1, max: 200_000 })
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constantFrom('deposit' as const, 'stake' as const, 'earn' as const), amount: cents }),
  fc.record({ kind: fc.constant('settle' as const), stake: cents, payout: fc.nat(400_000) }),
  fc.record({ kind: fc.constant('pay' as const), amount: cents }),
  fc.record({ kind: fc.constant('hold' as const), amount: cents }),
  fc.record({
    kind: fc.constant('resolve' as const),
    outcome: fc.constantFrom('posted' as const, 'voided' as const),
    twice: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
)

describe('the ledger', () => {
  it(`agrees with a model after every step of ${seeds} runs with up to ${commandsPerSeed} commands`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: commandsPerSeed }), async (commands) => {
        const member = await venue.createMember(minor(0))
        const model: Model = {
          available: 0,
          held: 0,
          stakes: 0,
          fund: 0,
          pnl: 0,
          today: 0,
          day: '',
          version: 0,
          entries: [],
          open: [],
        }
        for (const step of commands) {
          await perform(member, model, step)
          expect(await venue.ledger.assets(member.id)).toEqual(assetsOf(model))
        }
        const record = await listLedgerEntries(venue.db, member.id, {}, { limit: 100 })
        expect(record.items.map(({ amount, balanceAfter }) => `${amount} ${balanceAfter}`)).toEqual(
          model.entries.toReversed(),
        )
      }),
      { numRuns: seeds },
    )
    const { rows } = await venue.db.execute<{ sum: number; below: number }>(sql`
      SELECT coalesce((SELECT sum(amount) FROM ledger_leg), 0)::bigint AS sum,
        (SELECT count(*) FROM posting WHERE available_after < 0)::bigint AS below`)
    expect(rows).toEqual([{ sum: 0, below: 0 }])
  })
})

async function perform(member: MemberClient, model: Model, step: Command): Promise<void> {
  const { id: memberId } = member
  switch (step.kind) {
    case 'deposit':
      return post(model, {
        memberId,
        type: 'deposit',
        legs: { available: step.amount, external: -step.amount },
      })
    case 'stake':
      return post(model, { memberId, type: 'stake', legs: { available: -step.amount, stakes: step.amount } })
    case 'earn':
      return post(model, {
        memberId,
        type: 'fund_earning',
        legs: { available: step.amount, house: -step.amount },
        pnl: step.amount,
      })
    case 'settle':
      return post(model, {
        memberId,
        type: 'payout',
        legs: { stakes: -step.stake, available: step.payout, house: step.stake - step.payout },
        pnl: step.payout - step.stake,
      })
    case 'pay':
      return post(model, {
        memberId,
        type: 'withdrawal_paid',
        legs: { available: -step.amount, external: step.amount },
      })
    case 'hold':
      return hold(model, memberId, step)
    case 'resolve':
      return resolve(model, step)
    case 'wait':
      return venue.clock.leap(step.hours * 3_600_000)
  }
}

async function post(model: Model, transaction: LedgerTransaction): Promise<void> {
  const posted = await venue.ledger.post(venue.db, transaction)
  expect(posted !== null).toBe(apply(model, transaction))
  if (posted) expect(posted.assets).toEqual(assetsOf(model))
}

async function hold(model: Model, memberId: string, { amount }: { amount: number }): Promise<void> {
  const placed = await venue.db.transaction((tx) =>
    holds.place(tx, {
      memberId,
      kind: 'withdrawal_hold',
      amount,
      of: { id: `${memberId} ${model.version}` },
    }),
  )
  const fits = apply(model, {
    memberId,
    type: 'withdrawal_hold',
    legs: { available: -amount, held: amount },
    amount: -amount,
  })
  expect(placed !== null).toBe(fits)
  if (placed) model.open.push({ id: placed.holdId, amount })
}

async function resolve(
  model: Model,
  { outcome, twice }: { outcome: 'posted' | 'voided'; twice: boolean },
): Promise<void> {
  const next = model.open.shift()
  if (!next) return
  const type = outcome === 'posted' ? 'withdrawal_paid' : 'withdrawal_returned'
  const times = twice ? 2 : 1
  const results = await Promise.all(
    Array.from({ length: times }, () =>
      venue.db.transaction((tx) => holds.resolve(tx, next.id, { kind: type })),
    ),
  )
  expect(results.filter((posted) => posted !== null)).toHaveLength(1)
  const to = outcome === 'posted' ? 'external' : 'available'
  apply(model, { memberId: '', type, legs: { held: -next.amount, [to]: next.amount } })
}

function apply(model: Model, transaction: LedgerTransaction): boolean {
  const { available = 0, held = 0, stakes = 0, fund = 0 } = transaction.legs
  if (
    model.available + available < 0 ||
    model.held + held < 0 ||
    model.stakes + stakes < 0 ||
    model.fund + fund < 0
  )
    return false
  const day = businessDay(venue.clock.now(), zone)
  model.available += available
  model.held += held
  model.stakes += stakes
  model.fund += fund
  model.pnl += transaction.pnl ?? 0
  model.today = (model.day === day ? model.today : 0) + (transaction.pnl ?? 0)
  model.day = day
  model.version += 1
  model.entries.push(
    `${formatMoney(minor(transaction.amount ?? available))} ${formatMoney(minor(model.available))}`,
  )
  return true
}

function assetsOf(model: Model): Assets {
  const today = model.day === businessDay(venue.clock.now(), zone) ? model.today : 0
  const text = (amount: number): string => formatMoney(minor(amount))
  return {
    total: text(model.available + model.held + model.stakes + model.fund),
    available: text(model.available),
    held: text(model.held),
    openStakes: text(model.stakes),
    fund: text(model.fund),
    accountPnl: text(model.pnl),
    todayPnl: text(today),
    version: model.version,
  }
}
