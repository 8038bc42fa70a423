import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newerAssets } from '../../streams/account.ts'
import type { Assets, Connection, LedgerEntry, Loadable } from '../../streams/index.ts'
import { refusal } from '../support/handMarket.ts'
import { scene, settle } from '../support/streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const assetsOf = (available: string, version: number): Assets => ({
  total: available,
  available,
  held: '0.00',
  openStakes: '0.00',
  fund: '0.00',
  accountPnl: '0.00',
  todayPnl: '0.00',
  version,
})

describe('assets$', () => {
  it('never lets an older answer overwrite a newer event', async () => {
    let release = (): void => undefined
    const answer = new Promise<Assets>((resolve) => (release = () => resolve(assetsOf('10.00', 4))))
    const { hand, streams } = scene(['A'], { assets: () => answer })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    hand.up()
    hand.event('assets', assetsOf('9.00', 5))
    release()
    await settle()
    expect(shown.at(-1)).toEqual({ state: 'ready', value: assetsOf('9.00', 5), fresh: true })
    hand.event('assets', assetsOf('8.00', 3))
    hand.event('assets', { available: 'lots' })
    expect(shown.at(-1)).toMatchObject({ value: { available: '9.00' } })
    hand.event('assets', assetsOf('7.00', 6))
    expect(shown.at(-1)).toMatchObject({ value: { available: '7.00' } })
    expect(streams.dropped()).toBe(1)
  })

  it('is refused without a session, and there after logging in', async () => {
    let session = false
    const unauthenticated = refusal(401, 'UNAUTHENTICATED')
    const { hand, streams } = scene(['A'], {
      assets: () =>
        session
          ? Promise.resolve(assetsOf('5.00', 1))
          : Promise.reject(Object.assign(new Error(), unauthenticated)),
    })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    hand.up()
    await settle()
    expect(shown.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'UNAUTHENTICATED' } })
    session = true
    streams.reconnect()
    hand.up()
    await settle()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '5.00' } })
  })

  it('shows nothing of one member to the next, nor after logging out', async () => {
    let answer: () => Promise<Assets> = async () => assetsOf('5.00', 9)
    const { hand, streams } = scene(['A'], { assets: () => answer() })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    hand.up()
    await settle()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '5.00' } })
    const before = shown.length
    answer = () => Promise.reject(Object.assign(new Error(), refusal(401, 'UNAUTHENTICATED')))
    streams.reconnect()
    hand.up()
    await settle()
    answer = async () => assetsOf('7.00', 1)
    streams.reconnect()
    hand.up()
    await settle()
    expect(JSON.stringify(shown.slice(before))).not.toContain('5.00')
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '7.00' } })
  })

  it('is there at once for a page that comes minutes later, and when the line is down', async () => {
    const { hand, streams } = scene(['A'], { assets: async () => assetsOf('5.00', 1) })
    const first = streams.assets$.subscribe()
    hand.up()
    await settle()
    first.unsubscribe()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    hand.event('assets', assetsOf('4.00', 2))
    hand.down()
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    expect(shown).toEqual([{ state: 'ready', value: assetsOf('4.00', 2), fresh: false }])
  })

  it.each([
    [1, 2, 2],
    [2, 1, 2],
    [2, 2, 2],
  ])('of versions %d and %d keeps %d', (known, event, kept) => {
    expect(newerAssets(assetsOf('1.00', known), assetsOf('1.00', event)).version).toBe(kept)
  })
})

describe('account events', () => {
  it('come through checked where the contract has a schema, else as they are', () => {
    const { hand, streams } = scene()
    const heard: unknown[] = []
    const entry: LedgerEntry = {
      id: 'l',
      at: 1,
      type: 'stake',
      amount: '-1.00',
      balanceAfter: '9.00',
      ref: { kind: 'order', id: 'o' },
    }
    streams.ledger$.subscribe((event) => heard.push(event))
    streams.event$('ledger').subscribe((event) => heard.push(event))
    streams.event$('fund').subscribe((event) => heard.push(event))
    streams.session$.subscribe((event) => heard.push(event))
    streams.notice$.subscribe((event) => heard.push(event))
    hand.event('ledger', entry)
    hand.event('ledger', 'nonsense')
    hand.event('fund', { any: 'thing' })
    hand.event('session', { reason: 'expired' })
    hand.event('notice', { siteStatus: 'maintenance', until: null })
    expect(heard).toEqual([
      entry,
      entry,
      { any: 'thing' },
      { reason: 'expired' },
      { siteStatus: 'maintenance', until: null },
    ])
    expect(streams.dropped()).toBe(1)
  })
})

describe('waking', () => {
  it('trusts no price before the venue has answered, and fetches again what is shown', async () => {
    const { hand, market, streams, frame } = scene()
    const connections: Connection[] = []
    streams.connection$.subscribe((connection) => connections.push(connection))
    streams.catalog$.subscribe()
    streams.quotes.watch('A', () => undefined)
    hand.up()
    await settle(1000)
    market.feed()
    frame.next()
    expect(streams.quotes.get('A')?.stale).toBe(false)
    market.asked.length = 0
    streams.wake()
    frame.next()
    expect(streams.quotes.get('A')?.stale).toBe(true)
    await settle(10)
    frame.next()
    expect(streams.quotes.get('A')?.stale).toBe(false)
    expect(market.asked).toEqual(['products'])
    expect(connections.at(-1)).toMatchObject({ state: 'online', stale: false })
  })

  it('after an hour of sleep on a dead line opens a new one', async () => {
    const { hand, streams } = scene()
    streams.quotes.watch('A', () => undefined)
    hand.up()
    await settle(1000)
    hand.silent = true
    const connects = hand.connects
    streams.wake()
    await settle(6000)
    expect(hand.connects).toBe(connects + 1)
    hand.silent = false
    hand.up()
    await settle()
    expect([...hand.subscribed.keys()]).toEqual(['A'])
  })
})
