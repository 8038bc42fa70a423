import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import type { Assets, Connection, LedgerEntry, Loadable } from '../../../streams/index.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'

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
    const { transport, streams } = streamsSetup(['A'], { assets: () => answer })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    transport.up()
    transport.event('assets', assetsOf('9.00', 5))
    release()
    await flushTimers()
    expect(shown.at(-1)).toEqual({ state: 'ready', value: assetsOf('9.00', 5), fresh: true })
    transport.event('assets', assetsOf('8.00', 3))
    transport.event('assets', { available: 'lots' })
    expect(shown.at(-1)).toMatchObject({ value: { available: '9.00' } })
    transport.event('assets', assetsOf('7.00', 6))
    expect(shown.at(-1)).toMatchObject({ value: { available: '7.00' } })
    expect(streams.dropped()).toBe(1)
  })

  it('fails without a session, and is ready after logging in', async () => {
    let session = false
    const unauthenticated = apiFailure(401, 'UNAUTHENTICATED')
    const { transport, streams } = streamsSetup(['A'], {
      assets: () =>
        session
          ? Promise.resolve(assetsOf('5.00', 1))
          : Promise.reject(Object.assign(new Error(), unauthenticated)),
    })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    transport.up()
    await flushTimers()
    expect(shown.at(-1)).toMatchObject({ state: 'failed', failure: { code: 'UNAUTHENTICATED' } })
    session = true
    streams.reconnect()
    transport.up()
    await flushTimers()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '5.00' } })
  })

  it('never shows assets of another member, nor after logging out', async () => {
    let answer: () => Promise<Assets> = async () => assetsOf('5.00', 9)
    const { transport, streams } = streamsSetup(['A'], { assets: () => answer() })
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    transport.up()
    await flushTimers()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '5.00' } })
    const before = shown.length
    answer = () => Promise.reject(Object.assign(new Error(), apiFailure(401, 'UNAUTHENTICATED')))
    streams.reconnect()
    transport.up()
    await flushTimers()
    answer = async () => assetsOf('7.00', 1)
    streams.reconnect()
    transport.up()
    await flushTimers()
    expect(JSON.stringify(shown.slice(before))).not.toContain('5.00')
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: { available: '7.00' } })
  })

  it('replays its value to a subscriber minutes later, also while the wire is down', async () => {
    const { transport, streams } = streamsSetup(['A'], { assets: async () => assetsOf('5.00', 1) })
    const first = streams.assets$.subscribe()
    transport.up()
    await flushTimers()
    first.unsubscribe()
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    transport.event('assets', assetsOf('4.00', 2))
    transport.down()
    const shown: Loadable<Assets>[] = []
    streams.assets$.subscribe((assets) => shown.push(assets))
    expect(shown).toEqual([{ state: 'ready', value: assetsOf('4.00', 2), fresh: false }])
  })
})

describe('account events', () => {
  it('are validated if the contract has a schema, otherwise passed on unchanged', () => {
    const { transport, streams } = streamsSetup()
    const received: unknown[] = []
    const entry: LedgerEntry = {
      id: 'l',
      at: epochMs(1),
      type: 'stake',
      amount: '-1.00',
      balanceAfter: '9.00',
      held: '0.00',
      fund: '0.00',
      ref: { kind: 'order', id: 'o', no: 'O-1', productId: 'BTCUSDT' },
    }
    streams.ledger$.subscribe((event) => received.push(event))
    streams.event$('ledger').subscribe((event) => received.push(event))
    streams.event$('fund').subscribe((event) => received.push(event))
    streams.session$.subscribe((event) => received.push(event))
    streams.notice$.subscribe((event) => received.push(event))
    transport.event('ledger', entry)
    transport.event('ledger', 'nonsense')
    transport.event('fund', { any: 'thing' })
    transport.event('session', { reason: 'expired' })
    transport.event('notice', { siteStatus: 'maintenance', until: null })
    expect(received).toEqual([
      entry,
      entry,
      { any: 'thing' },
      { reason: 'expired' },
      { siteStatus: 'maintenance', until: null },
    ])
    expect(streams.dropped()).toBe(1)
  })
})

describe('refresh', () => {
  it('marks prices stale until the venue has answered, and fetches again what is shown', async () => {
    const { transport, market, streams, frame } = streamsSetup()
    const connections: Connection[] = []
    streams.connection$.subscribe((connection) => connections.push(connection))
    streams.catalog$.subscribe()
    streams.quote$('A').subscribe()
    transport.up()
    await flushTimers(1000)
    market.heartbeat()
    frame.next()
    expect(streams.lastQuote('A')?.stale).toBe(false)
    market.requests.length = 0
    streams.refresh()
    frame.next()
    expect(streams.lastQuote('A')?.stale).toBe(true)
    await flushTimers(10)
    frame.next()
    expect(streams.lastQuote('A')?.stale).toBe(false)
    expect(market.requests).toEqual(['products'])
    expect(connections.at(-1)).toMatchObject({ state: 'online', stale: false })
  })

  it('reconnects if the line is dead after a suspend', async () => {
    const { transport, streams } = streamsSetup()
    streams.quote$('A').subscribe()
    transport.up()
    await flushTimers(1000)
    transport.silent = true
    const connects = transport.connects
    streams.refresh()
    await flushTimers(6000)
    expect(transport.connects).toBe(connects + 1)
    transport.silent = false
    transport.up()
    await flushTimers()
    expect([...transport.subscribed.keys()]).toEqual(['A'])
  })
})
