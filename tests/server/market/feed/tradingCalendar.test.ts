import { describe, expect, it } from 'vitest'
import { zonedTime } from '../../../../contract/time.ts'
import { openTradingCalendar } from '../../../../server/market/feed/tradingCalendar.ts'
import { parseTradingHours, TradingHoursError } from '../../../../server/market/feed/tradingHoursFormat.ts'
import { fc } from '../../../support/fastCheck.ts'

/** Spot currencies trade around the clock from Sunday to Friday, 17:00 in New York; shut at Christmas and New Year. */
const currencies = {
  zone: 'America/New_York',
  week: [['Sun 17:00', 'Fri 17:00']],
  holidays: [
    { date: '2026-12-24', from: '17:00' },
    '2026-12-25',
    { date: '2026-12-31', from: '17:00' },
    '2027-01-01',
  ],
}
/** CME Globex metals: Sunday 18:00 to Friday 17:00 in New York, an hour's pause each day at 17:00. */
const comex = {
  zone: 'America/New_York',
  week: [['Sun 18:00', 'Fri 17:00']],
  breaks: [['17:00', '18:00']],
  holidays: [
    { date: '2025-11-27', from: '14:30', to: '18:00' },
    { date: '2025-11-28', from: '13:45' },
    { date: '2025-12-24', from: '13:45' },
    { date: '2025-12-25', to: '18:00' },
    { date: '2026-04-02', from: '17:00' },
    '2026-04-03',
  ],
}
/** CFFEX index futures: 09:30–11:30 and 13:00–15:00 in Shanghai; the days of its notice on holidays of 2026. */
const cffex = {
  zone: 'Asia/Shanghai',
  week: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => [`${day} 09:30`, `${day} 15:00`]),
  breaks: [['11:30', '13:00']],
  holidays: [
    '2026-01-01',
    '2026-01-02',
    '2026-02-16',
    '2026-02-17',
    '2026-02-18',
    '2026-02-19',
    '2026-02-20',
    '2026-02-23',
    '2026-04-06',
    '2026-05-01',
    '2026-05-04',
    '2026-05-05',
    '2026-10-01',
    '2026-10-02',
    '2026-10-05',
    '2026-10-06',
    '2026-10-07',
  ],
}

type Case = [instant: string, status: 'open' | 'closed', nextChange: string]

/** New York is at UTC−5 until 8 March 2026, 07:00 UTC, then at UTC−4 until 1 November 2026, 06:00 UTC. */
const cases: Record<string, { hours: object; cases: Case[] }> = {
  currencies: {
    hours: currencies,
    cases: [
      ['2026-01-04T21:59:59.999Z', 'closed', '2026-01-04T22:00:00.000Z'],
      ['2026-01-04T22:00:00.000Z', 'open', '2026-01-09T22:00:00.000Z'],
      ['2026-01-07T12:00:00.000Z', 'open', '2026-01-09T22:00:00.000Z'],
      ['2026-01-09T21:59:59.999Z', 'open', '2026-01-09T22:00:00.000Z'],
      ['2026-01-09T22:00:00.000Z', 'closed', '2026-01-11T22:00:00.000Z'],
      ['2026-01-10T12:00:00.000Z', 'closed', '2026-01-11T22:00:00.000Z'],
      ['2026-03-06T21:59:59.999Z', 'open', '2026-03-06T22:00:00.000Z'],
      ['2026-03-06T22:00:00.000Z', 'closed', '2026-03-08T21:00:00.000Z'],
      ['2026-03-08T06:59:59.999Z', 'closed', '2026-03-08T21:00:00.000Z'],
      ['2026-03-08T07:00:00.000Z', 'closed', '2026-03-08T21:00:00.000Z'],
      ['2026-03-08T20:59:59.999Z', 'closed', '2026-03-08T21:00:00.000Z'],
      ['2026-03-08T21:00:00.000Z', 'open', '2026-03-13T21:00:00.000Z'],
      ['2026-03-13T21:00:00.000Z', 'closed', '2026-03-15T21:00:00.000Z'],
      ['2026-07-01T00:00:00.000Z', 'open', '2026-07-03T21:00:00.000Z'],
      ['2026-10-30T20:59:59.999Z', 'open', '2026-10-30T21:00:00.000Z'],
      ['2026-10-30T21:00:00.000Z', 'closed', '2026-11-01T22:00:00.000Z'],
      ['2026-11-01T05:59:59.999Z', 'closed', '2026-11-01T22:00:00.000Z'],
      ['2026-11-01T21:30:00.000Z', 'closed', '2026-11-01T22:00:00.000Z'],
      ['2026-11-01T22:00:00.000Z', 'open', '2026-11-06T22:00:00.000Z'],
      ['2026-11-06T22:00:00.000Z', 'closed', '2026-11-08T22:00:00.000Z'],
      ['2026-12-24T22:00:00.000Z', 'closed', '2026-12-27T22:00:00.000Z'],
      ['2026-12-31T21:59:59.999Z', 'open', '2026-12-31T22:00:00.000Z'],
      ['2026-12-31T22:00:00.000Z', 'closed', '2027-01-03T22:00:00.000Z'],
    ],
  },
  comex: {
    hours: comex,
    cases: [
      ['2026-01-04T22:59:59.999Z', 'closed', '2026-01-04T23:00:00.000Z'],
      ['2026-01-04T23:00:00.000Z', 'open', '2026-01-05T22:00:00.000Z'],
      ['2026-01-05T22:00:00.000Z', 'closed', '2026-01-05T23:00:00.000Z'],
      ['2026-01-05T22:59:59.999Z', 'closed', '2026-01-05T23:00:00.000Z'],
      ['2026-01-05T23:00:00.000Z', 'open', '2026-01-06T22:00:00.000Z'],
      ['2026-01-09T21:59:59.999Z', 'open', '2026-01-09T22:00:00.000Z'],
      ['2026-01-09T22:00:00.000Z', 'closed', '2026-01-11T23:00:00.000Z'],
      ['2026-03-05T22:30:00.000Z', 'closed', '2026-03-05T23:00:00.000Z'],
      ['2026-03-06T22:00:00.000Z', 'closed', '2026-03-08T22:00:00.000Z'],
      ['2026-03-08T21:59:59.999Z', 'closed', '2026-03-08T22:00:00.000Z'],
      ['2026-03-08T22:00:00.000Z', 'open', '2026-03-09T21:00:00.000Z'],
      ['2026-03-09T21:00:00.000Z', 'closed', '2026-03-09T22:00:00.000Z'],
      ['2026-03-09T22:00:00.000Z', 'open', '2026-03-10T21:00:00.000Z'],
      ['2026-07-15T03:00:00.000Z', 'open', '2026-07-15T21:00:00.000Z'],
      ['2026-10-29T21:30:00.000Z', 'closed', '2026-10-29T22:00:00.000Z'],
      ['2026-10-30T21:00:00.000Z', 'closed', '2026-11-01T23:00:00.000Z'],
      ['2026-11-01T22:30:00.000Z', 'closed', '2026-11-01T23:00:00.000Z'],
      ['2026-11-01T23:00:00.000Z', 'open', '2026-11-02T22:00:00.000Z'],
      ['2026-11-02T22:00:00.000Z', 'closed', '2026-11-02T23:00:00.000Z'],
      ['2026-04-02T20:59:59.999Z', 'open', '2026-04-02T21:00:00.000Z'],
      ['2026-04-02T21:00:00.000Z', 'closed', '2026-04-05T22:00:00.000Z'],
      ['2025-11-27T19:29:59.999Z', 'open', '2025-11-27T19:30:00.000Z'],
      ['2025-11-27T19:30:00.000Z', 'closed', '2025-11-27T23:00:00.000Z'],
      ['2025-11-27T23:00:00.000Z', 'open', '2025-11-28T18:45:00.000Z'],
      ['2025-11-28T18:45:00.000Z', 'closed', '2025-11-30T23:00:00.000Z'],
      ['2025-12-24T18:45:00.000Z', 'closed', '2025-12-25T23:00:00.000Z'],
      ['2025-12-25T22:59:59.999Z', 'closed', '2025-12-25T23:00:00.000Z'],
      ['2025-12-25T23:00:00.000Z', 'open', '2025-12-26T22:00:00.000Z'],
    ],
  },
  cffex: {
    hours: cffex,
    cases: [
      ['2026-01-05T01:29:59.999Z', 'closed', '2026-01-05T01:30:00.000Z'],
      ['2026-01-05T01:30:00.000Z', 'open', '2026-01-05T03:30:00.000Z'],
      ['2026-01-05T03:29:59.999Z', 'open', '2026-01-05T03:30:00.000Z'],
      ['2026-01-05T03:30:00.000Z', 'closed', '2026-01-05T05:00:00.000Z'],
      ['2026-01-05T04:59:59.999Z', 'closed', '2026-01-05T05:00:00.000Z'],
      ['2026-01-05T05:00:00.000Z', 'open', '2026-01-05T07:00:00.000Z'],
      ['2026-01-05T06:59:59.999Z', 'open', '2026-01-05T07:00:00.000Z'],
      ['2026-01-05T07:00:00.000Z', 'closed', '2026-01-06T01:30:00.000Z'],
      ['2026-01-09T07:00:00.000Z', 'closed', '2026-01-12T01:30:00.000Z'],
      ['2026-03-06T01:30:00.000Z', 'open', '2026-03-06T03:30:00.000Z'],
      ['2026-03-09T01:30:00.000Z', 'open', '2026-03-09T03:30:00.000Z'],
      ['2026-11-02T01:29:59.999Z', 'closed', '2026-11-02T01:30:00.000Z'],
      ['2026-02-13T07:00:00.000Z', 'closed', '2026-02-24T01:30:00.000Z'],
      ['2026-02-16T02:00:00.000Z', 'closed', '2026-02-24T01:30:00.000Z'],
      ['2026-02-24T01:30:00.000Z', 'open', '2026-02-24T03:30:00.000Z'],
      ['2025-12-31T07:00:00.000Z', 'closed', '2026-01-05T01:30:00.000Z'],
      ['2026-04-03T07:00:00.000Z', 'closed', '2026-04-07T01:30:00.000Z'],
      ['2026-04-30T07:00:00.000Z', 'closed', '2026-05-06T01:30:00.000Z'],
      ['2026-09-30T07:00:00.000Z', 'closed', '2026-10-08T01:30:00.000Z'],
      ['2026-10-08T05:00:00.000Z', 'open', '2026-10-08T07:00:00.000Z'],
    ],
  },
}

describe.each(Object.entries(cases))('trading hours of %s', (_, { hours, cases: dated }) => {
  it.each(dated)('at %s the market is %s until %s', (instant, status, nextChange) => {
    const answer = openTradingCalendar(hours).tradingHoursAt(Date.parse(instant))
    const change = Date.parse(nextChange)
    expect(answer).toEqual(
      status === 'open'
        ? { open: true, opensAt: null, closesAt: change }
        : { open: false, opensAt: change, closesAt: null },
    )
  })
})

describe('a trading calendar', () => {
  const instant = fc.integer({
    min: Date.parse('2025-10-01T00:00:00Z'),
    max: Date.parse('2027-02-01T00:00:00Z'),
  })

  it.each(Object.entries(cases))(
    '%s changes exactly at opensAt and closesAt, and nowhere before',
    (_, { hours }) => {
      fc.assert(
        fc.property(instant, fc.double({ min: 0, max: 1, noNaN: true }), (t, share) => {
          const openAt = (at: number): boolean => openTradingCalendar(hours).tradingHoursAt(at).open
          const { open, opensAt, closesAt } = openTradingCalendar(hours).tradingHoursAt(t)
          const change = opensAt ?? closesAt ?? 0
          expect(change).toBeGreaterThan(t)
          expect(openAt(change - 1)).toBe(open)
          expect(openAt(change)).toBe(!open)
          expect(openAt(t + Math.floor((change - 1 - t) * share))).toBe(open)
        }),
        { numRuns: 100 },
      )
    },
  )

  it('answers a running clock as a new calendar would', () => {
    const calendar = openTradingCalendar(comex)
    const start = Date.parse('2026-03-05T00:00:00Z')
    for (let t = start; t < start + 5 * 86_400_000; t += 97 * 60_000) {
      expect(calendar.tradingHoursAt(t)).toEqual(openTradingCalendar(comex).tradingHoursAt(t))
    }
  })

  it('is open on a Sunday night in New York exactly when its clocks show 17:00 or later', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 520 }), fc.integer({ min: 0, max: 86_399 }), (week, second) => {
        const t = Date.parse('2020-01-05T05:00:00Z') + week * 604_800_000 + second * 1000
        const { hour } = zonedTime(t, 'America/New_York')
        // In summer the Sunday of this fixed grid begins at 01:00.
        fc.pre(second < 82_800)
        const { zone, week: open } = currencies
        expect(openTradingCalendar({ zone, week: open }).tradingHoursAt(t).open).toBe(hour >= 17)
      }),
      { numRuns: 100 },
    )
  })

  it('runs over the end of the week, and over midnight', () => {
    const calendar = openTradingCalendar({ zone: 'Etc/UTC', week: [['Sat 22:00', 'Mon 02:00']] })
    expect(calendar.tradingHoursAt(Date.parse('2026-01-04T12:00:00Z'))).toEqual({
      open: true,
      opensAt: null,
      closesAt: Date.parse('2026-01-05T02:00:00Z'),
    })
    expect(calendar.tradingHoursAt(Date.parse('2026-01-05T02:00:00Z')).opensAt).toBe(
      Date.parse('2026-01-10T22:00:00Z'),
    )
  })

  it('opens and closes at the clock change where the clocks skip the time, and at the first of two', () => {
    const nights = openTradingCalendar({ zone: 'America/New_York', week: [['Sun 01:30', 'Sun 02:30']] })
    // 8 March 2026: 02:00 is skipped, so 02:30 is the change. 1 November 2026: 01:30 comes twice.
    expect(nights.tradingHoursAt(Date.parse('2026-03-08T06:30:00Z')).closesAt).toBe(
      Date.parse('2026-03-08T07:00:00Z'),
    )
    expect(nights.tradingHoursAt(Date.parse('2026-11-01T05:30:00Z'))).toEqual({
      open: true,
      opensAt: null,
      closesAt: Date.parse('2026-11-01T07:30:00Z'),
    })
  })

  it('states no change that is more than 400 days away', () => {
    const always = openTradingCalendar({ zone: 'Etc/UTC', week: [['Sun 00:00', 'Sat 24:00']] })
    expect(always.tradingHoursAt(Date.parse('2026-01-01T00:00:00Z'))).toEqual({
      open: true,
      opensAt: null,
      closesAt: null,
    })
    const never = openTradingCalendar({
      zone: 'Etc/UTC',
      week: [['Mon 01:00', 'Mon 02:00']],
      breaks: [['00:00', '24:00']],
    })
    expect(never.tradingHoursAt(Date.parse('2026-01-05T01:30:00Z'))).toEqual({
      open: false,
      opensAt: null,
      closesAt: null,
    })
  })
})

describe('parseTradingHours', () => {
  const good = { zone: 'Etc/UTC', week: [['Mon 09:00', 'Fri 17:00']] }
  it.each<[string, unknown, string]>([
    ['a text', 'always', 'feed.hours is not valid'],
    ['no week', { zone: 'Etc/UTC' }, 'feed.hours.week is missing'],
    ['an empty week', { ...good, week: [] }, 'feed.hours.week is not valid'],
    ['an unknown field', { ...good, dst: true }, 'feed.hours: unknown field `dst`'],
    ['an unknown zone', { ...good, zone: 'Mars/Base' }, 'feed.hours.zone: "Mars/Base" is not an IANA zone'],
    ['an offset as zone', { ...good, zone: '+08:00' }, 'feed.hours.zone: "+08:00" is not an IANA zone'],
    ['a bad weekday', { ...good, week: [['Mo 09:00', 'Fri 17:00']] }, 'feed.hours.week.0.0 is not valid'],
    ['a bad time', { ...good, week: [['Mon 9:00', 'Fri 17:00']] }, 'feed.hours.week.0.0 is not valid'],
    [
      'an empty span',
      { ...good, week: [['Mon 09:00', 'Mon 09:00']] },
      'feed.hours.week: Mon 09:00 to Mon 09:00 is empty',
    ],
    [
      'a break backwards',
      { ...good, breaks: [['18:00', '17:00']] },
      'feed.hours.breaks: 18:00 to 17:00 does not end after it begins',
    ],
    [
      'a date that does not exist',
      { ...good, holidays: ['2026-02-30'] },
      'feed.hours.holidays.0 is not valid',
    ],
    [
      'a holiday backwards',
      { ...good, holidays: [{ date: '2026-12-24', from: '18:00', to: '13:00' }] },
      'feed.hours.holidays: 2026-12-24 ends at 13:00, not after 18:00',
    ],
  ])('rejects %s with one line', (_, hours, line) => {
    expect(() => parseTradingHours(hours)).toThrow(new TradingHoursError([line]))
  })
})
