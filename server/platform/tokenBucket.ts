/** A rate limit: `calls` tokens are added per `perMs`, up to `burst`. */
export type Rate = { readonly calls: number; readonly perMs: number; readonly burst: number }

/** One caller's tokens at one rate. Starts full. `now` is epoch milliseconds and must not decrease. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #at: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#at = now
  }

  /** Available tokens; below zero after a charge that they did not cover. */
  tokens(now: number): number {
    const { calls, perMs, burst } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) * calls) / perMs)
    this.#at = now
    return this.#tokens
  }

  /** Takes `cost` tokens if available and returns 0; otherwise takes none and returns the wait in ms. */
  take(now: number, cost = 1): number {
    const missing = cost - this.tokens(now)
    if (missing > 0) return Math.ceil((missing * this.#rate.perMs) / this.#rate.calls)
    this.#tokens -= cost
    return 0
  }

  /** Takes `cost` tokens even if not available, down to a debt of one burst. A negative cost returns tokens. */
  charge(now: number, cost: number): void {
    const { burst } = this.#rate
    this.#tokens = Math.min(burst, Math.max(-burst, this.tokens(now) - cost))
  }

  isFull(now: number): boolean {
    return this.tokens(now) >= this.#rate.burst
  }
}
