import type { Minor } from '../../contract/units.ts'
import type { RunningMarket } from '../../server/market/market.ts'
import { openMemoryDatabase, type Database } from '../../server/platform/db/open.ts'
import type { Clock } from '../../server/platform/ports.ts'
import type { MemberClient } from './apiCalls.ts'
import { closeAfter } from './closeAfter.ts'
import type { FakeMarket } from './fakeMarket.ts'
import type { ManualClock } from './manualClock.ts'
import { openTestVenue, type TestVenue, type TestVenueOptions } from './testVenue.ts'
import { openTickingVenue, type TickingVenue, type TickingVenueOptions } from './tickingVenue.ts'

/**
 * An embedded database in memory with the venue's tables. It closes by itself: await it at the top of a file, in an async
 * `describe`, in `beforeEach` or in a test, but not in `beforeAll`.
 */
export async function withDatabase(): Promise<Database> {
  const database = await openMemoryDatabase()
  closeAfter(() => database.close())
  return database
}

/** @property database of the test; by default the venue has its own, in memory */
type OwnDatabase = { database?: Database }
type Ticking = TickingVenueOptions & OwnDatabase & { ticking: true }
type Still<M extends RunningMarket, C extends Clock> = TestVenueOptions<M, C> &
  OwnDatabase & { ticking?: false }

/**
 * A test venue that closes by itself, as {@link withDatabase} does. Its ticks come from the test, or, with `ticking`, from
 * two products whose prices move with the clock.
 */
export function withVenue(options: Ticking): Promise<TickingVenue>
export function withVenue<M extends RunningMarket = FakeMarket, C extends Clock = ManualClock>(
  options?: Still<M, C>,
): Promise<TestVenue<M, C>>
export async function withVenue({
  database,
  ticking,
  ...options
}: Ticking | Still<FakeMarket, ManualClock> = {}) {
  const of = database ?? (await withDatabase())
  const venue = await (ticking === true
    ? openTickingVenue(of, options)
    : openTestVenue(of, options as TestVenueOptions))
  closeAfter(() => venue.close())
  return venue
}

/** A test venue and a member of it with a session and a balance: 10,000.00, if none is given. */
export async function withMember(
  options: TestVenueOptions & OwnDatabase & { balance?: Minor } = {},
): Promise<{ venue: TestVenue; member: MemberClient }> {
  const { balance, ...rest } = options
  const venue = await withVenue(rest)
  return { venue, member: await venue.createMember(balance) }
}
