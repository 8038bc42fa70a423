import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure, Loadable, Message, MessageBox, ReadMessages } from '../../streams/index.ts'
import { foldBox } from '../../streams/messages.ts'
import { apiFailure } from '../support/fakeWireMarket.ts'
import { setup, flushTimers } from '../support/streamsSetup.ts'

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
  at: 1,
  read,
  link: null,
})
const boxOf = (ids: string[], nextCursor: string | null = null): MessageBox => ({
  items: ids.map((id) => messageOf(id)),
  nextCursor,
})
/** Ids of a box, the read ones in brackets. */
const shown = (box: MessageBox | undefined): string =>
  (box?.items ?? []).map(({ id, read }) => (read ? `(${id})` : id)).join(' ')

/** A member's messages over a fake wire; pages by cursor. */
function setupMessages(pages: Record<string, MessageBox>, readFailure?: () => Failure | undefined) {
  const read: ReadMessages[] = []
  const requestedCursors: string[] = []
  const { transport, streams } = setup(['A'], {
    messages: async (cursor = '') => {
      requestedCursors.push(cursor)
      return pages[cursor] ?? boxOf([])
    },
    readMessages: async (which) => {
      read.push(which)
      const failure = readFailure?.()
      if (failure) throw Object.assign(new Error(), failure)
    },
  })
  let last: Loadable<MessageBox> = { state: 'loading' }
  streams.messages.box$.subscribe((box) => (last = box))
  return {
    transport,
    streams,
    read,
    requestedCursors,
    box: () => shown(last.state === 'loading' ? undefined : last.value),
  }
}

describe('messages', () => {
  it('puts a new message first, and updates a known one in place', async () => {
    const { transport, streams, box } = setupMessages({ '': boxOf(['b', 'a']) })
    transport.up()
    await flushTimers()
    transport.event('message', messageOf('c'))
    transport.event('message', messageOf('a', true))
    transport.event('message', { id: 'nonsense' })
    expect(box()).toBe('c b (a)')
    expect(streams.dropped()).toBe(1)
  })

  it('shows messages as read at once, and sends that to the venue', async () => {
    const { transport, streams, box, read } = setupMessages({ '': boxOf(['c', 'b', 'a']) })
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
    const { transport, streams, box } = setupMessages({ '': boxOf(['a']) }, () =>
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
    const pages = { '': boxOf(['d', 'c'], 'p2'), p2: boxOf(['c', 'b'], 'p3'), p3: boxOf(['a']) }
    const { transport, streams, box, requestedCursors } = setupMessages(pages)
    transport.up()
    await flushTimers()
    requestedCursors.length = 0
    await streams.messages.more()
    expect(box()).toBe('d c b')
    await streams.messages.more()
    await streams.messages.more()
    expect(box()).toBe('d c b a')
    transport.down()
    transport.up()
    await flushTimers()
    expect(box()).toBe('d c')
    expect(requestedCursors).toEqual(['p2', 'p3', ''])
  })

  it('reloads the box when it grows beyond its limit', async () => {
    const { transport, box, requestedCursors } = setupMessages({ '': boxOf(['a']) })
    transport.up()
    await flushTimers()
    requestedCursors.length = 0
    for (let n = 0; n < 1000; n++) transport.event('message', messageOf(`live-${n}`))
    await flushTimers()
    expect(requestedCursors).toEqual([''])
    expect(box()).toBe('a')
  })
})

describe('foldBox', () => {
  it('keeps a message read after an older event', () => {
    const box: MessageBox = { items: [messageOf('a', true)], nextCursor: null }
    expect(shown(foldBox(box, { kind: 'event', message: messageOf('a') }))).toBe('(a)')
  })

  it('applies a read from another window, but adds no old message that only that window has loaded', () => {
    const box = boxOf(['b', 'a'], 'more')
    const updated = foldBox(box, { kind: 'event', message: messageOf('a', true) })
    expect(shown(updated)).toBe('b (a)')
    expect(foldBox(updated, { kind: 'event', message: messageOf('old', true) })).toBe(updated)
  })

  it('ignores a page of a replaced box', () => {
    const box = boxOf(['b'], 'new')
    expect(foldBox(box, { kind: 'page', after: 'old', page: boxOf(['a']) })).toBe(box)
  })
})
