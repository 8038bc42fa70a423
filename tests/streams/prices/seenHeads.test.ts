import { Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import type { FeedEvent } from '../../../contract/socket.ts'
import { createSeenHeads, seenHeadsMax } from '../../../streams/prices/seenHeads.ts'

const hashOf = (seq: number): string => seq.toString(16).padStart(64, 'a')
const feedEventOf = (seq: number): FeedEvent => ({
  at: epochMs(seq),
  p: { A: { watermark: epochMs(seq * 10), status: 'live', seq, hash: hashOf(seq) } },
})

describe('createSeenHeads', () => {
  it('stores announced heads, oldest first, up to the maximum, and unsubscribes on close', () => {
    const feed = new Subject<FeedEvent>()
    const heads = createSeenHeads(feed)
    expect(heads.seen('A')).toEqual([])
    for (let seq = 1; seq <= seenHeadsMax + 5; seq++) feed.next(feedEventOf(seq))
    expect(heads.seen('A')).toHaveLength(seenHeadsMax)
    expect(heads.seen('A')[0]).toEqual({ seq: 6, hash: hashOf(6), watermark: 60, seenAt: 6 })
    expect(heads.seen('B')).toEqual([])
    heads.close()
    expect(feed.observed).toBe(false)
  })
})
