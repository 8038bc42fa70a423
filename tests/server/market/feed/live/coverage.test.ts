import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { Coverage } from '../../../../../server/market/feed/live/coverage.ts'
import type { SourceTick } from '../../../../../server/market/feed/live/sourceTick.ts'

const start = 1_000_000
const at = (ms: number): number => start + ms

function open({ lines = 1, isNumbered = true, limitMs = 2000 } = {}) {
  const counted: string[] = []
  const coverage = new Coverage(lines, {
    isNumbered,
    limitMs,
    startAt: start,
    count: (what) => counted.push(what),
    resumed: () => undefined,
  })
  const tick = (
    order: number,
    ms: number,
    {
      line = 0,
      isOnTime = true,
      ...changes
    }: Partial<SourceTick> & { line?: number; isOnTime?: boolean } = {},
  ) =>
    coverage.tick(
      line,
      {
        order,
        sourceId: String(order),
        sourceAt: at(ms),
        isPrice: true,
        price: 100 + order,
        size: 1,
        ...changes,
      },
      at(ms),
      isOnTime,
    )
  const alive = (ms: number, line = 0) => coverage.alive(line, at(ms), true)
  const read = (ms: number) => {
    const { ticks, gaps, coveredUntil } = coverage.read(at(ms))
    return {
      ids: ticks.map(({ sourceId }) => Number(sourceId)),
      ats: ticks.map((each) => each.at - start),
      gaps: gaps.map(({ from, to }) => [from - start, to - start]),
      covered: coveredUntil - start,
    }
  }
  return { coverage, counted, tick, alive, read }
}

/** A line that has joined, with one tick in the log. */
function opened(options: Parameters<typeof open>[0] = {}) {
  const feed = open(options)
  feed.coverage.join(0, at(100))
  feed.alive(100)
  feed.tick(1, 200)
  feed.read(200)
  feed.coverage.committed(at(200))
  return feed
}

describe('coverage of a live feed', () => {
  it('begins with a gap, because nothing is known of the time before the first message', () => {
    const { coverage, alive, tick, read } = open()
    expect(read(50)).toEqual({ ids: [], ats: [], gaps: [], covered: 0 })
    coverage.join(0, at(80))
    expect(read(90).covered).toBe(0)
    alive(100)
    tick(7, 150)
    expect(read(160)).toEqual({ ids: [7], ats: [150], gaps: [[0, 100]], covered: 150 })
  })

  it('follows signs of life and not the clock', () => {
    const { alive, read } = opened()
    expect(read(900).covered).toBe(200)
    alive(700)
    expect(read(900).covered).toBe(700)
  })

  it('returns the same again until it is committed, then releases it', () => {
    const { coverage, tick, read } = opened()
    tick(2, 300)
    tick(3, 400)
    expect(read(450).ids).toEqual([2, 3])
    expect(read(460).ids).toEqual([2, 3])
    coverage.committed(at(300))
    expect(read(470).ids).toEqual([3])
  })

  it('sets no tick to an instant that was already reported as covered', () => {
    const { tick, alive, read } = opened()
    alive(300)
    expect(read(300).covered).toBe(300)
    tick(2, 300)
    expect(read(300)).toMatchObject({ ids: [], covered: 300 })
    expect(read(301)).toMatchObject({ ids: [2], ats: [301], covered: 301 })
  })

  it('stops at a missing number, and goes on without a gap once it arrives', () => {
    const { tick, alive, read } = opened()
    tick(3, 300)
    alive(400)
    expect(read(500)).toMatchObject({ ids: [], covered: 200 })
    tick(2, 600, { sourceAt: at(290) })
    expect(read(600)).toMatchObject({ ids: [2, 3], ats: [600, 600], gaps: [], covered: 600 })
  })

  it('gives up a missing number after the limit: the time is a gap', () => {
    const { tick, alive, read } = opened()
    tick(3, 300)
    alive(2200)
    expect(read(2200)).toMatchObject({ covered: 200, gaps: [] })
    alive(2201)
    expect(read(2201)).toMatchObject({ ids: [], covered: 2201, gaps: [[200, 2201]] })
    tick(4, 2300)
    expect(read(2300)).toMatchObject({ ids: [4], covered: 2300 })
  })

  it('goes on without a gap if the line is back in time with the next number', () => {
    const { coverage, tick, alive, read } = opened()
    coverage.leave(0)
    coverage.join(0, at(1200))
    alive(1300)
    expect(read(1300)).toMatchObject({ covered: 200 })
    tick(2, 1400)
    expect(read(1400)).toMatchObject({ ids: [2], gaps: [], covered: 1400 })
  })

  it('takes the word of a snapshot that nothing was missed', () => {
    const { coverage, alive, read } = opened()
    coverage.leave(0)
    coverage.join(0, at(1200))
    coverage.newest(0, 1, at(1250))
    alive(1300)
    expect(read(1300)).toMatchObject({ gaps: [], covered: 1300 })
  })

  it('does not go on if a snapshot or heartbeat has a newer number than the last tick', () => {
    const { coverage, tick, alive, read } = opened()
    coverage.newest(0, 2, at(250))
    alive(300)
    expect(read(300).covered).toBe(200)
    tick(2, 400)
    expect(read(400)).toMatchObject({ ids: [2], covered: 400 })
  })

  it('makes a gap of a silence beyond the limit, though the next number follows', () => {
    const { tick, read } = opened()
    tick(2, 2300)
    expect(read(2300)).toMatchObject({ ids: [], gaps: [[200, 2300]], covered: 2300 })
  })

  it('makes no gap of a pause of this process', () => {
    const { coverage, tick, read } = opened()
    coverage.pause(30_000)
    tick(2, 31_000)
    expect(read(31_000)).toMatchObject({ ids: [2], gaps: [], covered: 31_000 })
  })

  it('waits for a line that is late, and makes a gap only beyond the limit', () => {
    const { tick, read } = opened()
    tick(2, 1500, { isOnTime: false })
    expect(read(1500)).toMatchObject({ ids: [], covered: 200 })
    tick(3, 1600)
    expect(read(1600)).toMatchObject({ ids: [2, 3], gaps: [], covered: 1600 })
    tick(4, 3000, { isOnTime: false })
    tick(5, 3700)
    expect(read(3700)).toMatchObject({ gaps: [[1600, 3700]], covered: 3700 })
  })

  it('takes the first arrival of a number from two lines', () => {
    const { coverage, tick, read, counted } = opened({ lines: 2 })
    coverage.join(1, at(210))
    tick(2, 300, { line: 1 })
    tick(2, 310, { sourceAt: at(300) })
    tick(3, 400)
    tick(3, 420, { line: 1, sourceAt: at(400) })
    expect(read(420)).toMatchObject({ ids: [2, 3], ats: [300, 400], covered: 420 })
    expect(counted).toEqual([])
  })

  it('loses nothing if one of two lines ends or misses a tick', () => {
    const { coverage, tick, read } = opened({ lines: 2 })
    coverage.join(1, at(210))
    tick(2, 300)
    tick(2, 301, { line: 1, sourceAt: at(300) })
    tick(4, 400)
    expect(read(400).covered).toBe(301)
    tick(3, 410, { line: 1, sourceAt: at(390) })
    coverage.leave(0)
    tick(4, 420, { line: 1, sourceAt: at(400) })
    tick(5, 430, { line: 1 })
    expect(read(430)).toMatchObject({ ids: [2, 3, 4, 5], gaps: [] })
  })

  it('does not trust a line that joined while the other one was gone', () => {
    const { coverage, alive, tick, read } = opened({ lines: 2 })
    coverage.leave(0)
    coverage.join(1, at(900))
    alive(1000, 1)
    expect(read(1000).covered).toBe(200)
    tick(4, 1100, { line: 1 })
    alive(2100, 1)
    expect(read(2100).covered).toBe(200)
    alive(2300, 1)
    expect(read(2300)).toMatchObject({ covered: 2300, gaps: [[200, 2300]] })
  })

  it('drops and counts what is repeated or older; an older tick leaves its number missing', () => {
    const { tick, alive, read, counted } = opened()
    tick(2, 300)
    tick(2, 310, { sourceAt: at(300) })
    tick(3, 320, { isPrice: false })
    tick(4, 330, { sourceAt: at(10) })
    tick(5, 340)
    expect(read(340)).toMatchObject({ ids: [2], gaps: [], covered: 320 })
    alive(2321)
    tick(6, 2400)
    expect(read(2400)).toMatchObject({ ids: [2, 6], gaps: [[320, 2321]], covered: 2400 })
    expect(counted).toEqual(['tick repeated by its connection', 'tick older than the one before it'])
  })

  it('goes on after one tick from the future, with a gap for those that it made look old', () => {
    const { tick, read } = opened()
    tick(2, 300, { sourceAt: at(3_600_000) })
    for (let i = 3; i <= 60; i++) tick(i, i * 100)
    const { ids, gaps, covered } = read(6000)
    expect(gaps).toEqual([[300, 2400]])
    expect(ids).toEqual([2, ...Array.from({ length: 36 }, (_, i) => 25 + i)])
    expect(covered).toBe(6000)
  })

  it('notices that numbers started again after a tick from the future', () => {
    const { tick, read, counted } = opened()
    tick(2, 300, { sourceAt: at(3_600_000) })
    for (let i = 3; i <= 100; i++) tick(i, i * 100)
    // A silence: a second gap since the wrong instant.
    tick(101, 13_000)
    for (let i = 1; i <= 20; i++) tick(i, 14_000 + i * 100)
    expect(read(16_000)).toMatchObject({ covered: 16_000 })
    expect(read(16_000).ids).toContain(20)
    expect(counted).toContain('numbers started again')
  })

  it('waits for the number of a dropped tick, which another line may have right', () => {
    const { coverage, tick, alive, read } = opened({ lines: 2 })
    coverage.join(1, at(200))
    coverage.dropped(0, 2, at(300), at(300))
    alive(310)
    tick(3, 320)
    expect(read(320)).toMatchObject({ ids: [], gaps: [], covered: 200 })
    tick(2, 330, { line: 1, sourceAt: at(300) })
    expect(read(330)).toMatchObject({ ids: [2, 3], gaps: [], covered: 330 })
  })

  it('makes a gap of the time of a dropped tick, whatever its number is', () => {
    for (const number of [2, 1, null]) {
      const { coverage, tick, alive, read } = opened()
      coverage.dropped(0, number, at(300), at(300))
      alive(400)
      alive(2201)
      tick(3, 2300)
      const { ids, gaps } = read(2300)
      expect(ids).toEqual([3])
      expect(gaps).toHaveLength(1)
      expect(gaps[0]![0]).toBeLessThanOrEqual(300)
      expect(gaps[0]![1]).toBeGreaterThan(300)
    }
  })

  it('makes a gap of a dropped tick before the first one', () => {
    const { coverage, alive, tick, read } = open()
    coverage.join(0, at(50))
    alive(100)
    coverage.dropped(0, 7, at(200), at(200))
    tick(8, 300)
    expect(read(300)).toMatchObject({ ids: [], covered: 100 })
    tick(9, 2200)
    tick(10, 2300)
    expect(read(2300)).toMatchObject({
      ids: [10],
      gaps: [
        [0, 100],
        [100, 2200],
      ],
      covered: 2300,
    })
  })

  it('does not take a dropped number that another line then has right for a new sequence', () => {
    const { coverage, tick, alive, read, counted } = opened({ lines: 2 })
    coverage.join(1, at(200))
    for (let i = 2; i <= 40; i++) coverage.dropped(0, i, at(i * 100), at(i * 100))
    alive(4000)
    tick(40, 4100, { line: 1, sourceAt: at(4000) })
    expect(read(4100).ids).toEqual([])
    expect(counted).toEqual([])
  })

  it('trusts a line with an unreadable message only once it shows that it missed nothing', () => {
    const { coverage, tick, alive, read } = opened()
    coverage.doubt(0, at(300))
    alive(400)
    expect(read(400).covered).toBe(200)
    tick(2, 500)
    expect(read(500)).toMatchObject({ ids: [2], gaps: [], covered: 500 })
    coverage.doubt(0, at(600))
    alive(2501)
    expect(read(2501)).toMatchObject({ gaps: [[500, 2501]], covered: 2501 })
  })

  it('takes no answer to a call made before a message that cannot be read', () => {
    const { coverage, alive, read } = opened()
    coverage.doubt(0, at(300))
    coverage.newest(0, 1, at(250))
    alive(400)
    expect(read(400).covered).toBe(200)
    coverage.newest(0, 1, at(450))
    alive(500)
    expect(read(500)).toMatchObject({ gaps: [], covered: 500 })
  })

  it('makes a gap and follows the new numbers if an exchange starts them again', () => {
    const { coverage, tick, alive, read, counted } = open()
    coverage.join(0, at(50))
    alive(100)
    tick(1000, 200)
    tick(1001, 300)
    tick(500, 400)
    tick(501, 500)
    expect(read(500)).toEqual({
      ids: [1000, 1001, 500, 501],
      ats: [200, 300, 401, 500],
      gaps: [
        [0, 100],
        [300, 400],
      ],
      covered: 500,
    })
    expect(counted).toEqual(['numbers started again'])
  })

  it('repeats nothing if a line is seconds behind when an exchange starts its numbers again', () => {
    const { coverage, tick, alive, read } = open({ lines: 2 })
    coverage.join(0, at(50))
    coverage.join(1, at(50))
    alive(100)
    for (const [order, ms] of [
      [1000, 200],
      [1001, 300],
      [1, 400],
      [2, 500],
    ] as const)
      tick(order, ms)
    tick(1001, 600, { line: 1, sourceAt: at(300) })
    alive(2700)
    tick(1, 2800, { line: 1, sourceAt: at(400) })
    tick(2, 2900, { line: 1, sourceAt: at(500) })
    tick(3, 3000)
    tick(4, 3100)
    const { ids, gaps } = read(3100)
    expect(ids).toEqual([1000, 1001, 1, 2, 3, 4])
    expect(gaps).toHaveLength(3)
  })

  it('takes no number of before that a line behind still carries, once an exchange started its numbers again', () => {
    for (const hasGap of [true, false]) {
      const { coverage, tick, read } = open({ lines: 2 })
      coverage.join(0, at(50))
      coverage.join(1, at(50))
      coverage.alive(0, at(100), true)
      tick(1000, 200)
      tick(1001, 300)
      tick(500, 400)
      tick(501, 500)
      // A gap, after which any number is taken.
      if (hasGap) coverage.dropped(0, 501, at(550), at(550))
      coverage.alive(0, at(600), true)
      tick(1001, 700, { line: 1, sourceAt: at(300), isOnTime: false })
      tick(1002, 710, { line: 1, sourceAt: at(310), isOnTime: false })
      tick(500, 800, { line: 1, sourceAt: at(400), isOnTime: false })
      tick(502, 900)
      tick(503, 950, { line: 1 })
      const { ids, gaps, covered } = read(1000)
      expect(ids).toEqual([1000, 1001, 500, 501, 502, 503])
      expect(gaps).toHaveLength(hasGap ? 3 : 2)
      expect(covered).toBe(950)
    }
  })

  it('calls no time complete because of a line that still carries numbers of before', () => {
    const { coverage, tick, alive, read } = opened({ lines: 2 })
    coverage.join(1, at(200))
    tick(1000, 300)
    // As it seems, the numbers started again, in the future; then only the other line is left.
    tick(50, 400, { sourceAt: at(4400) })
    coverage.leave(0)
    const { covered } = read(400)
    tick(51, 500, { line: 1 })
    alive(600, 1)
    expect(read(600).covered).toBe(covered)
    for (let i = 52; i < 100; i++) tick(i, i * 100, { line: 1 })
    expect(read(9900)).toMatchObject({ covered: 9900 })
    expect(read(9900).ids.at(-1)).toBe(99)
  })

  it('calls no time complete in which lower numbers arrived that no line had before', () => {
    // New connections after the numbers started again, and one wrong number far ahead.
    for (const before of [1000, 2 ** 52]) {
      const { coverage, tick, alive, read } = open({ lines: 2 })
      coverage.join(0, at(100))
      coverage.join(1, at(100))
      alive(200)
      tick(before, 300)
      coverage.leave(0)
      coverage.join(0, at(350))
      for (let i = 2; i <= 30; i++) {
        tick(i, 300 + i * 100, { line: i % 2 })
        alive(340 + i * 100, i % 2)
      }
      const { ids, gaps, covered } = read(3400)
      expect(ids.at(-1)).toBe(30)
      expect(covered).toBe(3340)
      const lost = Array.from({ length: 29 }, (_, i) => i + 2).filter((id) => !ids.includes(id))
      for (const id of lost)
        expect(gaps.some(([from, to]) => from! <= 300 + id * 100 && to! >= 300 + id * 100)).toBe(true)
    }
  })

  it('recovers from one wrong number far ahead', () => {
    const { tick, read, counted } = opened({ lines: 2 })
    tick(2 ** 52, 300)
    for (let i = 2; i <= 40; i++) tick(i, 300 + i * 100, { line: 1 })
    expect(read(4300)).toMatchObject({ covered: 4300 })
    expect(read(4300).ids).toContain(40)
    expect(read(4300).gaps).toHaveLength(2)
    expect(counted).toContain('numbers started again')
  })

  it('recovers from a heartbeat or snapshot with a wrong number', () => {
    const { coverage, tick, read } = opened()
    coverage.newest(0, 2 ** 52, at(250))
    for (let i = 2; i <= 60; i++) tick(i, 200 + i * 100)
    const { ids, gaps, covered } = read(6200)
    expect(covered).toBe(6200)
    expect(ids.at(-1)).toBe(60)
    expect(gaps.length).toBeGreaterThan(0)
    expect(gaps.at(-1)![1]).toBeLessThan(4000)
  })

  it('drops the newest ticks and makes a gap if nobody takes them', () => {
    const { coverage, tick, read, counted } = opened()
    for (let i = 2; i <= 30_000; i++) tick(i, 300 + i)
    const { ids, covered } = read(40_000)
    expect(ids.length).toBeLessThan(20_010)
    expect(ids.at(-1)).toBe(ids.length + 1)
    coverage.committed(at(covered))
    tick(30_001, 40_000)
    tick(30_002, 40_001)
    expect(read(40_001)).toMatchObject({ ids: [30_002], gaps: [[covered, 40_000]] })
    expect(counted).toContain('more ticks than the log takes: the newest are dropped')
  })
})

describe('coverage while nobody takes the ticks', () => {
  it('keeps none after a missing number either, and goes on with a gap once they are taken', () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const heapBytes = (): number => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const { coverage, tick, read, counted } = opened()
    for (let i = 2; i <= 25_000; i++) tick(i, 300 + i)
    const { covered } = read(26_000)
    const before = heapBytes()
    for (let i = 25_002; i <= 225_000; i++) tick(i, 26_000 + i)
    // They would take more than 20 MB.
    expect(heapBytes() - before).toBeLessThan(5e6)
    coverage.committed(at(covered))
    tick(225_001, 260_000)
    tick(225_002, 260_001)
    expect(read(260_001)).toMatchObject({ ids: [225_002], gaps: [[covered, 260_000]] })
    expect(counted).toEqual(['more ticks than the log takes: the newest are dropped'])
  })
})

describe('coverage of quotes, which have no numbers', () => {
  it('follows every newer quote, and one that is not newer is dropped', () => {
    const { tick, read, counted } = opened({ isNumbered: false, limitMs: 7000 })
    tick(300, 300)
    tick(900, 900)
    tick(900, 950)
    expect(read(950)).toMatchObject({ ids: [300, 900], gaps: [], covered: 950 })
    expect(counted).toEqual(['tick repeated by its connection'])
  })

  it('goes on after a cut if the quote is still the same, and makes a gap if it changed', () => {
    const { coverage, tick, read } = opened({ isNumbered: false, limitMs: 7000 })
    tick(300, 300)
    coverage.leave(0)
    coverage.join(0, at(2000))
    tick(300, 2100, { sourceAt: at(300) })
    expect(read(2100)).toMatchObject({ ids: [300], gaps: [], covered: 2100 })
    coverage.leave(0)
    coverage.join(0, at(3000))
    tick(2900, 3100, { sourceAt: at(2900) })
    expect(read(3101)).toMatchObject({ ids: [300, 2900], gaps: [[2100, 3100]], covered: 3101 })
  })

  it('makes a gap of the time between a dropped quote and the next one', () => {
    const { coverage, tick, alive, read } = opened({ isNumbered: false, limitMs: 7000 })
    tick(300, 300)
    coverage.dropped(0, 500, at(500), at(500))
    alive(600)
    expect(read(600).covered).toBe(300)
    tick(900, 900)
    expect(read(901)).toMatchObject({ ids: [300, 900], gaps: [[300, 900]], covered: 901 })
  })

  it('makes a gap of the time between a dropped quote and the first one', () => {
    const { coverage, tick, alive, read } = open({ isNumbered: false, limitMs: 7000 })
    coverage.join(0, at(50))
    alive(100)
    coverage.dropped(0, 200, at(200), at(200))
    tick(900, 900)
    expect(read(901)).toMatchObject({
      ids: [900],
      gaps: [
        [0, 100],
        [100, 900],
      ],
    })
  })

  it('calls no time with a dropped quote complete, whatever a call or the next connection says', () => {
    for (const isCut of [false, true])
      for (const known of [-2_000_000, 300]) {
        const { coverage, tick, alive, read } = opened({ isNumbered: false, limitMs: 7000 })
        tick(300, 300)
        coverage.dropped(0, null, at(500), at(500))
        if (isCut) {
          coverage.leave(0)
          coverage.join(0, at(700))
          tick(known, 800)
        }
        coverage.newest(0, known, at(900))
        alive(1000)
        expect(read(1000).covered).toBe(300)
        tick(1100, 1100)
        expect(read(1101)).toMatchObject({ ids: [300, 1100], gaps: [[300, 1100]], covered: 1101 })
      }
  })

  it('makes a gap of dropped quotes that are followed by none', () => {
    const { coverage, alive, read } = opened({ isNumbered: false, limitMs: 7000 })
    coverage.dropped(0, null, at(500), at(500))
    alive(7200)
    expect(read(7200).covered).toBe(200)
    alive(7300)
    expect(read(7300)).toMatchObject({ gaps: [[200, 7300]], covered: 7300 })
  })

  it('takes no older instant as a proof that nothing was missed', () => {
    for (const isCall of [true, false]) {
      const { coverage, tick, alive, read } = opened({ isNumbered: false, limitMs: 7000 })
      tick(300, 300)
      coverage.leave(0)
      coverage.join(0, at(700))
      if (isCall) coverage.newest(0, 100, at(800))
      else tick(100, 800)
      alive(900)
      expect(read(900).covered).toBe(300)
      tick(1000, 1000)
      expect(read(1001)).toMatchObject({ ids: [300, 1000], gaps: [[300, 1000]] })
    }
  })

  it('follows older quotes, after a gap, if the newest was ahead of its time', () => {
    const { coverage, tick, read, counted } = opened({ isNumbered: false, limitMs: 7000 })
    tick(4800, 300, { sourceAt: at(4800) })
    tick(500, 500)
    tick(600, 600)
    tick(690, 690)
    expect(read(691)).toMatchObject({ ids: [4800, 600, 690], gaps: [[500, 600]], covered: 690 })
    // Also on the next connection, whose first quote is a state.
    tick(5700, 700, { sourceAt: at(5700) })
    coverage.leave(0)
    coverage.join(0, at(800))
    tick(650, 900, { sourceAt: at(650) })
    tick(1000, 1000)
    tick(1100, 1100)
    tick(1200, 1200)
    expect(read(1201).ids).toEqual([4800, 600, 690, 5700, 1100, 1200])
    expect(read(1201).gaps).toHaveLength(2)
    expect(counted.filter((what) => what === 'tick older than the one before it')).toHaveLength(2)
  })

  it('goes on after a quote from the future', () => {
    const { tick, read } = opened({ isNumbered: false, limitMs: 7000 })
    // As of ccxt, whose order is that of arrival.
    tick(300, 300, { sourceAt: at(3_600_000) })
    for (let i = 301; i < 320; i++) tick(i, 100 + i)
    expect(read(500).ids).toContain(319)
    expect(read(500).gaps.length).toBeGreaterThan(0)
  })

  it('stops if a call knows a newer quote than the stream', () => {
    const { coverage, tick, alive, read } = opened({ isNumbered: false, limitMs: 7000 })
    tick(300, 300)
    coverage.newest(0, 800, at(850))
    alive(900)
    expect(read(900).covered).toBe(300)
    tick(800, 1000)
    expect(read(1000).covered).toBe(1000)
  })
})
