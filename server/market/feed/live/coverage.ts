import type { LiveReading } from '../feed.ts'
import { Backlog } from './backlog.ts'
import { isTooLow, newCoverageLine, type CoverageLine, type CoverageOptions } from './coverageLine.ts'
import { FormerNumbers, Interruption, KnownNumber, NewestInstant, OlderQuotes } from './coverageParts.ts'
import type { SourceTick } from './sourceTick.ts'

/** Own pauses beyond this are lost time, as for every other feed. */
const pauseMaxMs = 60_000

/**
 * Decides for one product up to which instant its source was received in full. Several lines carry the same ticks, and
 * the first arrival of each counts. Covered time follows signs of life and never the clock; it stops at a missing
 * number and continues once the missing ticks have arrived. If that takes longer than the limit, the time is a gap.
 */
export class Coverage {
  readonly #options: CoverageOptions
  readonly #lines: CoverageLine[]
  readonly #backlog = new Backlog()
  /** In order, but not yet covered: the line that delivered them was late, or the numbers before them are missing. */
  #pending: SourceTick[] = []
  #held = new Map<number, SourceTick>()
  #last: number | null = null
  readonly #known = new KnownNumber()
  /** The next tick may have any number: those before it were given up. */
  #acceptsAny = true
  readonly #olderQuotes = new OlderQuotes()
  readonly #newestSourceAt = new NewestInstant()
  readonly #formerNumbers = new FormerNumbers()
  readonly #interruption: Interruption
  #hasStarted = false
  /** Whether something was dropped since the covered time that no missing number shows: the time is lost. */
  #hasDropped = false
  #isOverflowing = false
  #coveredUntil: number
  /** The newest instant that a reader was given: no tick may be added at or before it. */
  #handedUntil: number
  /** No tick is at or before the end of a gap. */
  #gapUntil = Number.NEGATIVE_INFINITY
  #pausedMs = 0

  constructor(lines: number, options: CoverageOptions) {
    this.#options = options
    this.#interruption = new Interruption(options.resumed)
    this.#coveredUntil = options.startAt
    this.#handedUntil = options.startAt
    this.#lines = Array.from({ length: lines }, newCoverageLine)
  }

  /** From now on the line carries every tick. */
  join(line: number, now: number): void {
    const state = this.#line(line)
    if (state.joinedAt === null) Object.assign(state, newCoverageLine(), { joinedAt: now })
  }

  leave(line: number): void {
    Object.assign(this.#line(line), newCoverageLine())
    if (this.#lines.every(({ joinedAt }) => joinedAt === null)) this.#interruption.begin()
  }

  /** Whether the line still has to show that it missed nothing. */
  needsEvidence(line: number): boolean {
    return this.#line(line).joinedAt !== null && !this.#line(line).isLinked
  }

  /** A tick has arrived. `isOnTime`: not later than its line usually is. */
  tick(line: number, tick: SourceTick, now: number, isOnTime: boolean): void {
    this.join(line, now)
    const state = this.#line(line)
    const { order, sourceId, sourceAt } = tick
    if (this.#formerNumbers.mayInclude(line, sourceAt, now)) {
      this.#options.count('tick out of order', sourceId)
      return this.doubt(line, now)
    }
    const isBehind = order <= state.newestOrder
    if (this.#isKnown(order)) {
      if (this.#contradicts(state, tick, isBehind)) {
        this.#restart(line, tick, now)
        return this.alive(line, now, isOnTime)
      }
      const { isNumbered } = this.#options
      const isLow = isNumbered && isOnTime && isTooLow(order, state, this.#lines, this.#last ?? order)
      if (isBehind && !isLow) this.#options.count('tick repeated by its connection', sourceId)
      // Another line delivered it first: this one continues the same sequence. Otherwise it may be of a new one.
      else if (!isLow && (isNumbered ? sourceAt <= this.#known.sourceAt : order === this.#last))
        state.isLinked = true
      else this.#hasDropped = true
    } else {
      if (isBehind) this.#options.count('tick out of order', sourceId)
      this.#add(line, tick, now)
    }
    state.newestOrder = Math.max(state.newestOrder, order)
    state.newestSourceAt = Math.max(state.newestSourceAt, sourceAt)
    this.alive(line, now, isOnTime)
  }

  /**
   * A tick that cannot be used has arrived: its time is covered only if another line has it right.
   * @param order null if its number cannot be read
   * @param expectedAt about when it was traded, whatever the message says
   */
  dropped(line: number, order: number | null, expectedAt: number, now: number): void {
    this.join(line, now)
    this.#hasDropped ||= !this.#options.isNumbered
    if (!this.#options.isNumbered) return
    const state = this.#line(line)
    const newest = Number.isFinite(state.newestOrder) ? state.newestOrder : (this.#last ?? this.#known.order)
    const number = order ?? newest + 1
    // Without a number, or with one that is known, maybe of numbers that started again, no missing one would show it.
    if (!Number.isFinite(number) || this.#isKnown(number)) this.#hasStarted = false
    else this.#miss(number, expectedAt)
    if (Number.isFinite(number)) state.newestOrder = Math.max(state.newestOrder, number)
  }

  /** The line may have missed a tick: its messages prove nothing until it shows that it did not. */
  doubt(line: number, now: number): void {
    const state = this.#line(line)
    if (state.joinedAt === null) return
    state.joinedAt = Math.max(now, this.#coveredUntil) + 1
    state.isLinked = false
  }

  /** The exchange's newest tick, as it says when asked at `askedAt`; one older than the last here says nothing. */
  newest(line: number, order: number, askedAt: number): void {
    const state = this.#line(line)
    if (order === this.#last) state.isLinked ||= state.joinedAt !== null && askedAt >= state.joinedAt
    else if (this.#last !== null && order > this.#last && !this.#acceptsAny) this.#known.raise(order)
  }

  /** The line shows that it delivers what the exchange sends. */
  alive(line: number, now: number, isOnTime: boolean): void {
    const state = this.#line(line)
    if (state.joinedAt === null || !isOnTime || this.#isOverflowing) return
    if (!this.#hasStarted || now - this.#coveredUntil - this.#pausedMs > this.#options.limitMs) {
      this.#hasStarted = true
      this.#giveUp(now)
      return
    }
    state.isLinked ||= this.#coveredUntil >= state.joinedAt
    if (
      state.isLinked &&
      !this.#hasDropped &&
      this.#held.size === 0 &&
      (this.#last ?? this.#known.order) >= this.#known.order
    )
      this.#cover(now)
  }

  /** The process itself was not running for this long: the source was not silent. */
  pause(ms: number): void {
    this.#pausedMs = Math.min(pauseMaxMs, this.#pausedMs + ms)
  }

  read(now: number): LiveReading {
    const coveredUntil = Math.min(this.#coveredUntil, now)
    this.#handedUntil = Math.max(this.#handedUntil, coveredUntil)
    return { ...this.#backlog.read(coveredUntil), coveredUntil: this.#handedUntil }
  }

  committed(until: number): void {
    // On a node that took over, the log may be ahead of this.
    this.#handedUntil = Math.max(this.#handedUntil, until)
    this.#backlog.release(until)
    if (!this.#isOverflowing || this.#backlog.isFull(0)) return
    this.#isOverflowing = false
    this.#acceptsAny = true
    // Ticks were dropped, so the time since then is lost, however short it was.
    this.#hasStarted = false
  }

  #line(line: number): CoverageLine {
    const state = this.#lines[line]
    if (!state) throw new RangeError(`no line ${line}`)
    return state
  }

  /**
   * An old number with an instant newer than everything so far: the exchange started its numbers again, or an earlier
   * number was wrong. A line that is merely behind repeats old instants too. Of quotes: two that follow each other and
   * are older than the newest, which was ahead of its time. A connection's first is the state before it.
   */
  #contradicts(state: CoverageLine, { order, sourceAt }: SourceTick, isBehind: boolean): boolean {
    if (!this.#options.isNumbered) {
      const isRepeated = order === state.newestOrder || order === this.#last
      return !isRepeated && Number.isFinite(state.newestOrder) && this.#olderQuotes.follows(order)
    }
    if (sourceAt <= this.#newestSourceAt.ever) return false
    return (isBehind && sourceAt > state.newestSourceAt) || this.#known.isContradictedBy(sourceAt)
  }

  #isKnown(order: number): boolean {
    return (this.#last !== null && order <= this.#last) || this.#held.has(order)
  }

  #add(line: number, tick: SourceTick, now: number): void {
    const state = this.#line(line)
    const { order } = tick
    // While the log takes nothing, nothing is kept, whatever is missing.
    const isAnyNext = this.#acceptsAny || this.#isOverflowing || this.#last === null
    const isNext = isAnyNext || this.#last === order - 1
    if (this.#options.isNumbered && !isNext) {
      this.#held.set(order, tick)
      this.#known.learn(order, tick.sourceAt)
    } else {
      if (this.#mayFollowOthers(state)) this.#giveUp(now)
      state.isLinked = true
      let next: SourceTick | undefined = tick
      while (next && this.#append(line, next, now)) {
        next = this.#held.size > 0 ? this.#held.get(next.order + 1) : undefined
        if (next) this.#held.delete(next.order)
      }
    }
    if (this.#backlog.isFull(this.#pending.length + this.#held.size)) this.#overflow()
  }

  /** Whether a quote of the line may have had others before it, which the line did not carry. */
  #mayFollowOthers({ isLinked, joinedAt }: CoverageLine): boolean {
    if (this.#options.isNumbered || (this.#last === null && !this.#hasStarted)) return false
    return this.#hasDropped || (!isLinked && (joinedAt === null || this.#coveredUntil < joinedAt))
  }

  /** @returns false if the tick is dropped, because it is older than the one before it */
  #append(line: number, tick: SourceTick, now: number): boolean {
    if (tick.isPrice && tick.sourceAt < this.#newestSourceAt.sinceGap) {
      this.#options.count('tick older than the one before it', tick.sourceId)
      this.dropped(line, tick.order, tick.sourceAt, now)
      return false
    }
    this.#last = tick.order
    this.#olderQuotes.end()
    this.#known.learn(tick.order, tick.sourceAt)
    this.#acceptsAny = false
    if (!tick.isPrice) return true
    this.#newestSourceAt.sinceGap = tick.sourceAt
    if (!this.#isOverflowing) this.#pending.push(tick)
    return true
  }

  /** A number exists that has not arrived, or not in a form that can be used. */
  #miss(order: number, sourceAt: number): void {
    if (this.#acceptsAny || this.#last === null) {
      this.#last = order - 1
      this.#acceptsAny = false
    }
    this.#known.learn(order, sourceAt)
  }

  /** Everything up to now was received: what waits gets its instant. */
  #cover(now: number): void {
    let until = Math.max(now, this.#coveredUntil)
    if (this.#pending.length > 0) {
      until = Math.max(until, this.#handedUntil + 1, this.#gapUntil + 1)
      this.#backlog.addAll(this.#pending, until)
      this.#pending = []
    }
    this.#interruption.end(this.#coveredUntil, until)
    this.#coveredUntil = until
    this.#pausedMs = 0
  }

  /** The time up to now is lost; whatever comes next is the start of a new sequence. */
  #giveUp(now: number): void {
    const to = Math.max(now, this.#coveredUntil + 1)
    this.#backlog.addGap({ from: this.#coveredUntil, to })
    this.#interruption.endWithGap(this.#coveredUntil, to)
    this.#hasDropped = false
    this.#coveredUntil = to
    this.#gapUntil = to
    this.#pausedMs = 0
    this.#pending = []
    this.#held.clear()
    if (this.#known.order > Number.NEGATIVE_INFINITY) this.#last = this.#known.order
    this.#acceptsAny = true
    this.#newestSourceAt.startAnew()
    for (const state of this.#lines) state.isLinked = state.joinedAt !== null
  }

  /** A tick contradicts the newest one, such as by a number that its line already passed: a new sequence begins. */
  #restart(line: number, tick: SourceTick, now: number): void {
    const state = this.#line(line)
    const what = this.#options.isNumbered ? 'numbers started again' : 'tick older than the one before it'
    this.#options.count(what, tick.sourceId)
    this.#known.forget()
    this.#last = null
    this.#giveUp(now)
    this.#formerNumbers.end(line, tick.sourceAt, now)
    for (const each of this.#lines)
      Object.assign(each, { isLinked: each === state, newestOrder: Number.NEGATIVE_INFINITY })
    this.#append(line, tick, now)
    Object.assign(state, { newestOrder: tick.order, newestSourceAt: tick.sourceAt })
  }

  #overflow(): void {
    if (this.#isOverflowing) return
    this.#options.count('more ticks than the log takes: the newest are dropped', String(this.#pending.length))
    this.#isOverflowing = true
    this.#pending = []
    this.#held.clear()
  }
}
