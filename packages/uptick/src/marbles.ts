import { Observable, type SchedulerLike } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { epochMs, priceUnits, sizeUnits } from '../../../contract/units.ts'
import { virtualClock } from '../../../streams/replay/virtualClock.ts'
import type { Tick } from '../../../streams/types.ts'

export type TicksOptions = {
  /** Decimals of the prices; default 2. */
  priceDecimals?: number
  /** The instant of the first column, epoch ms; default 0. */
  startAt?: number
  /** The number before the first tick; default 0. */
  afterSeq?: number
  /** Whose time a column is; without it everything is emitted at once. Real time: `asyncScheduler`. */
  scheduler?: SchedulerLike
}

/**
 * Ticks from marbles, one column a millisecond: `ticks('a-b--(cd)|', { a: 100.01, … })`. Values are decimal prices; the
 * size is 1. `#` is an error.
 * @throws Error if a letter has no price
 */
export function ticks(
  marbles: string,
  prices: Record<string, number>,
  { priceDecimals = 2, startAt = 0, afterSeq = 0, scheduler }: TicksOptions = {},
): Observable<Tick> {
  const messages = parse(marbles)
  const unknown = messages.find(
    ({ notification }) => notification.kind === 'N' && prices[notification.value as string] === undefined,
  )
  if (unknown?.notification.kind === 'N')
    throw new Error(`no price for ${String(unknown.notification.value)} in ${marbles}`)
  return new Observable<Tick>((subscriber) => {
    let seq = afterSeq
    const own = scheduler === undefined ? virtualClock() : undefined
    const clock = scheduler ?? own
    for (const { frame, notification } of messages) {
      const emit = (): void => {
        if (notification.kind === 'C') return subscriber.complete()
        if (notification.kind === 'E') return subscriber.error(notification.error)
        const price = Math.round((prices[notification.value as string] ?? 0) * 10 ** priceDecimals)
        subscriber.next({
          seq: ++seq,
          at: epochMs(startAt + frame),
          price: priceUnits(price),
          size: sizeUnits(1),
        })
      }
      subscriber.add(clock?.schedule(emit, frame))
    }
    own?.advanceTo(Math.max(0, ...messages.map(({ frame }) => frame)))
  })
}

/** Parses as `TestScheduler.run` does, with a column of one millisecond. */
function parse(marbles: string): ReturnType<typeof TestScheduler.parseMarbles> {
  const before = TestScheduler.frameTimeFactor
  TestScheduler.frameTimeFactor = 1
  try {
    return TestScheduler.parseMarbles(marbles, undefined, undefined, false, true)
  } finally {
    TestScheduler.frameTimeFactor = before
  }
}

/** The longest silence that is drawn column by column; a longer one is a number, such as ` 250ms `. */
const drawnSilenceMs = 10
const letters = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Ticks as marbles, from the first one's instant on, and back by {@link ticks}. Equal prices have the same letter.
 * @throws RangeError if there are more than 26 prices, or so many ticks in one instant that the next one is within them
 */
export function toMarbles(
  ticksToDraw: readonly Pick<Tick, 'at' | 'price'>[],
  priceDecimals = 2,
): { marbles: string; prices: Record<string, number> } {
  const letterOf = new Map<number, string>()
  for (const { price } of ticksToDraw) {
    if (letterOf.has(price)) continue
    const letter = letters[letterOf.size]
    if (letter === undefined) throw new RangeError('marbles have at most 26 prices')
    letterOf.set(price, letter)
  }
  let marbles = ''
  let column: number = ticksToDraw[0]?.at ?? 0
  for (let i = 0; i < ticksToDraw.length;) {
    const at = ticksToDraw[i]?.at ?? 0
    const same = ticksToDraw.slice(i).findIndex((tick) => tick.at !== at)
    const together = ticksToDraw.slice(i, same < 0 ? undefined : i + same)
    const text = together.map(({ price }) => letterOf.get(price)).join('')
    if (at < column) throw new RangeError(`the ticks at ${at} follow within those before them`)
    marbles += silence(at - column) + (together.length > 1 ? `(${text})` : text)
    column = at + (together.length > 1 ? together.length + 2 : 1)
    i += together.length
  }
  const prices = Object.fromEntries(
    [...letterOf].map(([price, letter]) => [letter, price / 10 ** priceDecimals]),
  )
  return { marbles: marbles.trim(), prices }
}

const silence = (ms: number): string => (ms > drawnSilenceMs ? ` ${ms}ms ` : '-'.repeat(ms))
