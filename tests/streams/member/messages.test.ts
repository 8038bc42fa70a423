import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { resultsEveryMs } from '../../../streams/member/messages.ts'
import type { Failure, Message, PageOf, ReadMessages } from '../../../streams/index.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const messageOf = (id: string, read = false): Message => ({
  id,
  category: 'account',
  key: 'welcome',
  params: {},
  title: null,
  body: null,
  lang: null,
  at: epochMs(1),
  read,
  link: null,
})
const pageOf = (ids: string[], nextCursor: string | null = null): PageOf<Message> => ({
  items: ids.map((id) => messageOf(id)),
  nextCursor,
})
/** By then the fetch after the first connect has come as well. */
const secondFetchMs = 2000

/** Ids of messages, the read ones in brackets. */
const shown = (items: readonly Message[]): string =>
  items.map(({ id, read }) => (read ? `(${id})` : id)).join(' ')

/** A member's messages over a fake wire; pages by cursor. */
function setupMessages(pages: Record<string, PageOf<Message>>, readFailure?: () => Failure | undefined) {
  const read: ReadMessages[] = []
  const requestedCursors: string[] = []
  const { transport, streams } = streamsSetup(['A'], {
    messages: async (cursor = '') => {
      requestedCursors.push(cursor)
      return pages[cursor] ?? pageOf([])
    },
    readMessages: async (which) => {
      read.push(which)
      const failure = readFailure?.()
      if (failure) throw Object.assign(new Error(), failure)
    },
  })
  let shownItems: readonly Message[] = []
  streams.messages.state$.subscribe(({ items }) => (shownItems = items))
  return {
    transport,
    streams,
    read,
    requestedCursors,
    box: () => shown(shownItems),
  }
}

describe('messages', () => {
  it('puts a new message first, and updates a known one in place', async () => {
    const { transport, streams, box } = setupMessages({ '': pageOf(['b', 'a']) })
    transport.up()
    await flushTimers()
    transport.event('message', messageOf('c'))
    transport.event('message', messageOf('a', true))
    transport.event('message', { id: 'nonsense' })
    expect(box()).toBe('c b (a)')
    expect(streams.dropped()).toBe(1)
  })

  it('shows messages as read at once, and sends that to the venue', async () => {
    const { transport, streams, box, read } = setupMessages({ '': pageOf(['c', 'b', 'a']) })
    transport.up()
    await flushTimers()
    void streams.messages.read({ ids: ['b'] })
    expect(box()).toBe('c (b) a')
    void streams.messages.read({ all: true })
    expect(box()).toBe('(c) (b) (a)')
    await flushTimers()
    expect(read).toEqual([{ ids: ['b'] }, { all: true }])
  })

  it('reverts a read that the venue rejects', async () => {
    const { transport, streams, box } = setupMessages({ '': pageOf(['a']) }, () =>
      apiFailure(503, 'UNAVAILABLE'),
    )
    transport.up()
    await flushTimers()
    const failure = await streams.messages.read({ all: true })
    await flushTimers()
    expect(failure).toMatchObject({ code: 'UNAVAILABLE' })
    expect(box()).toBe('a')
  })

  it('appends older pages, one after the other, and starts over after an outage', async () => {
    const pages = { '': pageOf(['d', 'c'], 'p2'), p2: pageOf(['c', 'b'], 'p3'), p3: pageOf(['a']) }
    const { transport, streams, box, requestedCursors } = setupMessages(pages)
    transport.up()
    await flushTimers()
    requestedCursors.length = 0
    for (const expected of ['d c b', 'd c b a', 'd c b a']) {
      streams.messages.more()
      await flushTimers()
      expect(box()).toBe(expected)
    }
    transport.down()
    transport.up()
    await flushTimers()
    expect(box()).toBe('d c')
    expect(requestedCursors).toEqual(['p2', 'p3', ''])
  })

  it('reloads the box when it grows beyond its limit', async () => {
    const { transport, box, requestedCursors } = setupMessages({ '': pageOf(['a']) })
    transport.up()
    await flushTimers()
    requestedCursors.length = 0
    for (let n = 0; n < 1000; n++) transport.event('message', messageOf(`live-${n}`))
    await flushTimers()
    expect(requestedCursors).toEqual([''])
    expect(box()).toBe('a')
  })
})

describe('results of orders', () => {
  const result = (id: string): Message => ({ ...messageOf(id), category: 'trade', key: 'orderSettled' })

  it('load the newest page again, whose rows count them, at most once in a while', async () => {
    const { transport, box, requestedCursors } = setupMessages({ '': pageOf(['hour', 'a']) })
    transport.up()
    await flushTimers(secondFetchMs)
    requestedCursors.length = 0
    for (let n = 0; n < 50; n++) transport.event('message', result(`r${n}`))
    await vi.advanceTimersByTimeAsync(0)
    expect(requestedCursors).toEqual([''])
    await vi.advanceTimersByTimeAsync(resultsEveryMs)
    expect(requestedCursors).toEqual(['', ''])
    expect(box()).toBe('hour a')
  })

  it('leave lists of other kinds alone; a kind has its own list', async () => {
    const requested: (string | undefined)[] = []
    const { transport, streams } = streamsSetup(['A'], {
      messages: async (_cursor, category) => {
        requested.push(category)
        return pageOf([`of ${category ?? 'all'}`])
      },
    })
    let items: readonly Message[] = []
    streams.messagesOf('account').state$.subscribe((list) => (items = list.items))
    transport.up()
    await flushTimers()
    expect(shown(items)).toBe('of account')
    requested.length = 0
    transport.event('message', result('r'))
    transport.event('message', { ...messageOf('paid'), category: 'money' })
    transport.event('message', messageOf('welcome'))
    await flushTimers()
    expect(shown(items)).toBe('welcome of account')
    expect(requested).toEqual([])
  })
})

describe('a message from an event', () => {
  it('stays read after an older copy', async () => {
    const { transport, box } = setupMessages({ '': pageOf(['a']) })
    transport.up()
    await flushTimers()
    transport.event('message', messageOf('a', true))
    transport.event('message', messageOf('a'))
    expect(box()).toBe('(a)')
  })

  it('is not shown if only another window has loaded its page', async () => {
    const { transport, box } = setupMessages({ '': pageOf(['b', 'a'], 'more') })
    transport.up()
    await flushTimers()
    transport.event('message', { ...messageOf('old', true), at: 0 })
    expect(box()).toBe('b a')
  })
})
