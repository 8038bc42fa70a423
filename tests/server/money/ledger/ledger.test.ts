import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { Assets, LedgerEntry } from '../../../../contract/ledger.ts'
import { practiceBalance } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()

type EntryList = { items: LedgerEntry[]; nextCursor: string | null }

describe('the database', () => {
  it.each([
    ['a balance out of nothing', `UPDATE balance SET available = available + 1`],
    ['a balance moved between accounts', `UPDATE balance SET available = available - 1, held = held + 1`],
    ['a newer version without a posting', `UPDATE balance SET version = version + 1`],
    ['a deleted balance', `DELETE FROM balance`],
    ['a changed posting', `UPDATE posting SET amount = amount + 1`],
    ['a deleted posting', `DELETE FROM posting`],
    ['a deletion of all postings', `TRUNCATE posting`],
    ['a posting that does not balance', insertPosting({ id: 2, available: 100, after: 1_000_100 })],
    [
      'a posting without its balance',
      insertPosting({ id: 2, available: 100, house: -100, after: 1_000_100 }),
    ],
    ['a posting that skips an id', insertPosting({ id: 3, available: 100, house: -100, after: 1_000_100 })],
    ['a new balance with money', `INSERT INTO balance (member_id, available) SELECT 'x', 5`],
  ])('rejects %s', async (_name, statement) => {
    const member = await venue.createMember()
    const before = await venue.ledger.assets(member.id)
    await expect(venue.db.execute(sql.raw(statement.replaceAll('$ID', member.id)))).rejects.toThrow()
    expect(await venue.ledger.assets(member.id)).toEqual(before)
  })

  function insertPosting(row: { id: number; available: number; house?: number; after: number }): string {
    return `INSERT INTO posting (member_id, id, at, type, amount, available, house, available_after, held_after,
      stakes_after, fund_after, pnl_after) VALUES ('$ID', ${row.id}, 1, 'deposit', 100, ${row.available},
      ${row.house ?? 0}, ${row.after}, 0, 0, 0, 0)`
  }
})

describe('the capital record', () => {
  it('filters by type and time, and new entries do not shift the pages', async () => {
    const member = await venue.createMember()
    const deposit = (amount: number) =>
      venue.ledger.post(venue.db, {
        memberId: member.id,
        type: 'deposit',
        legs: { available: amount, external: -amount },
        ref: { kind: 'deposit', id: `d${amount}` },
      })
    for (let i = 1; i <= 5; i++) {
      await venue.clock.advance(1000)
      await deposit(i)
    }
    const first = (await member.get<EntryList>('/me/ledger?limit=3')).body
    expect(first.items.map((entry) => entry.id)).toEqual(['6', '5', '4'])
    expect(first.items[0]).toEqual({
      id: '6',
      at: venue.clock.now(),
      type: 'deposit',
      amount: '0.05',
      balanceAfter: '10000.15',
      held: '0.00',
      fund: '0.00',
      ref: { kind: 'deposit', id: 'd5', no: null, productId: null },
    })
    await deposit(6)
    const second = (await member.get<EntryList>(`/me/ledger?limit=3&cursor=${first.nextCursor}`)).body
    expect(second.items.map((entry) => entry.id)).toEqual(['3', '2', '1'])
    expect(second.nextCursor).toBeNull()
    expect(
      (await member.get<EntryList>('/me/ledger?type=grant')).body.items.map((entry) => entry.type),
    ).toEqual(['grant'])
    const between = await member.get<EntryList>(
      `/me/ledger?from=${venue.clock.now() - 1000}&to=${venue.clock.now() - 1}`,
    )
    expect(between.body.items.map((entry) => entry.id)).toEqual(['5'])
    for (const bad of ['limit=0', 'limit=101', 'cursor=@@', 'type=loss', 'from=x', 'extra=1']) {
      expect([bad, (await member.get(`/me/ledger?${bad}`)).status]).toEqual([bad, 400])
    }
  })

  it('can be downloaded as CSV: quoted, with ISO times, plain numbers and escaped formulas', async () => {
    const member = await venue.createMember()
    await venue.ledger.post(venue.db, {
      memberId: member.id,
      type: 'withdrawal_hold',
      legs: { available: -100, held: 100 },
      ref: { kind: 'withdrawal', id: '=1+1"' },
    })
    const reply = await member.get('/me/ledger.csv')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    const at = new Date(venue.clock.now()).toISOString()
    expect(reply.text).toBe(
      '"id","at","type","amount","balanceAfter","refKind","refId","no","productId","held","fund"\r\n' +
        `"2","${at}","withdrawal_hold","-1.00","9999.00","withdrawal","'=1+1""","","","1.00","0.00"\r\n` +
        `"1","${at}","grant","10000.00","10000.00","member","${member.id}","","","0.00","0.00"\r\n`,
    )
  })
})

describe('practice reset', () => {
  it('restores the available balance with one entry, once per key', async () => {
    const member = await venue.createMember(minor(2_500))
    const key = venue.random.uuid()
    const reset = await member.post<Assets>('/practice/reset', undefined, key)
    expect([reset.status, reset.body.available, reset.body.version]).toEqual([200, '10000.00', 2])
    const again = await member.post<Assets>('/practice/reset', undefined, key)
    expect([again.status, again.replayed, again.body]).toEqual([200, true, reset.body])
    const [entry] = (await member.get<EntryList>('/me/ledger')).body.items
    expect(entry).toMatchObject({ type: 'reset', amount: '9975.00', balanceAfter: '10000.00' })
    expect(venue.bus.eventsFor<LedgerEntry>(member.id, 'ledger').map(({ type }) => type)).toEqual(['reset'])
    expect(venue.bus.eventsFor<Assets>(member.id, 'assets')).toEqual([reset.body])
  })

  it('is rejected while orders are open, and the key replays the error', async () => {
    const member = await venue.createMember(practiceBalance)
    await venue.ledger.post(venue.db, {
      memberId: member.id,
      type: 'stake',
      legs: { available: -100, stakes: 100 },
    })
    const key = venue.random.uuid()
    const rejected = await member.post('/practice/reset', undefined, key)
    expect([rejected.status, rejected.code]).toEqual([409, 'OPEN_ORDERS'])
    await venue.ledger.post(venue.db, {
      memberId: member.id,
      type: 'refund',
      legs: { available: 100, stakes: -100 },
    })
    const again = await member.post('/practice/reset', undefined, key)
    expect([again.status, again.code, again.replayed]).toEqual([409, 'OPEN_ORDERS', true])
    expect((await member.post('/practice/reset')).status).toBe(200)
  })

  it('is rejected in live mode, and the 403 is not stored', async () => {
    const liveVenue = await withVenue({ database: venue.database, live: true })
    const member = await liveVenue.createMember()
    const key = liveVenue.random.uuid()
    for (let i = 0; i < 2; i++) {
      const reply = await member.post('/practice/reset', undefined, key)
      expect([reply.status, reply.code, reply.replayed]).toEqual([403, 'PRACTICE_ONLY', false])
    }
  })
})

describe('the business calendar', () => {
  it('resets todayPnl at midnight of the zone, and when it is advanced', async () => {
    const member = await venue.createMember()
    const earn = (amount: number) =>
      venue.ledger.post(venue.db, {
        memberId: member.id,
        type: 'fund_earning',
        legs: { available: amount, house: -amount },
        pnl: amount,
      })
    const pnl = async () => {
      const { accountPnl, todayPnl } = await venue.ledger.assets(member.id)
      return [accountPnl, todayPnl]
    }
    await earn(100)
    expect(await pnl()).toEqual(['1.00', '1.00'])
    const midnight = venue.business.startOf(
      venue.business.addDays(venue.business.dayOf(venue.clock.now()), 1),
    )
    await venue.clock.jumpBy(midnight - 1 - venue.clock.now())
    expect(await pnl()).toEqual(['1.00', '1.00'])
    await venue.clock.advanceTo(midnight)
    expect(await pnl()).toEqual(['1.00', '0.00'])
    await earn(200)
    await venue.advanceCalendar(86_400_000)
    expect(await pnl()).toEqual(['3.00', '0.00'])
  })
})
