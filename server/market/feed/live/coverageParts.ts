import type { CoverageOptions } from './coverageLine.ts'

/** Instants of trades with neighbouring numbers differ by less: a newer one with an old number is a new sequence. */
const contradictionMs = 1000

/** The newest number that is known to exist, and the instant of its trade. */
export class KnownNumber {
  order = Number.NEGATIVE_INFINITY
  sourceAt = Number.NEGATIVE_INFINITY

  learn(order: number, sourceAt: number): void {
    if (order < this.order) return
    this.order = order
    this.sourceAt = sourceAt
  }

  isContradictedBy(sourceAt: number): boolean {
    return sourceAt > this.sourceAt + contradictionMs
  }

  /** Without an instant. */
  raise(order: number): void {
    this.order = Math.max(this.order, order)
  }

  forget(): void {
    this.order = Number.NEGATIVE_INFINITY
    this.sourceAt = Number.NEGATIVE_INFINITY
  }
}

/** Says when the source is received in full again. */
export class Interruption {
  readonly #resumed: CoverageOptions['resumed']
  /** Whether every line was lost since the covered time. */
  #wasCut = false
  #wasHeard = false

  constructor(resumed: CoverageOptions['resumed']) {
    this.#resumed = resumed
  }

  begin(): void {
    this.#wasCut = true
  }

  end(from: number, to: number): void {
    if (this.#wasCut) this.#resumed(from, to, false)
    this.#wasCut = false
  }

  /** The first one is the time before the source's first message. */
  endWithGap(from: number, to: number): void {
    if (this.#wasHeard || this.#wasCut) this.#resumed(from, to, true)
    this.#wasHeard = true
    this.#wasCut = false
  }
}

/** The newest instant of a product's ticks. It starts again at each gap, so that a wrong one holds up nothing for long. */
export class NewestInstant {
  /** What is older is dropped. */
  sinceGap = Number.NEGATIVE_INFINITY
  #beforeGap = Number.NEGATIVE_INFINITY

  /** A wrong one is dropped here too after two more gaps. */
  get ever(): number {
    return Math.max(this.sinceGap, this.#beforeGap)
  }

  startAnew(): void {
    if (Number.isFinite(this.sinceGap)) this.#beforeGap = this.sinceGap
    this.sinceGap = Number.NEGATIVE_INFINITY
  }
}

/** No message is older than this when it arrives: see `Lag`. */
const messageMaxAgeMs = 60_000

/** The numbers before an exchange started them again: a line that is behind the others still carries them. */
export class FormerNumbers {
  /** Where the first new number arrived, and its instant: what this line sends is newer. */
  #newLine = -1
  #newFrom = Number.NEGATIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  end(line: number, sourceAt: number, now: number): void {
    this.#newLine = line
    this.#newFrom = sourceAt
    this.#until = now + messageMaxAgeMs
  }

  /** Whether the number of a tick may be one of them. */
  mayInclude(line: number, sourceAt: number, now: number): boolean {
    return sourceAt < this.#newFrom && line !== this.#newLine && now < this.#until
  }
}

/** Quotes that are older than the newest one: a single one is out of order, several in order show that it was wrong. */
export class OlderQuotes {
  #newest = Number.POSITIVE_INFINITY

  /** Whether an older quote follows another one. */
  follows(order: number): boolean {
    const before = this.#newest
    this.#newest = order
    return order > before
  }

  /** A newer one has arrived. */
  end(): void {
    this.#newest = Number.POSITIVE_INFINITY
  }
}
