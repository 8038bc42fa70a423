import { setTimeout as pause } from 'node:timers/promises'
import { secondMs } from '../../../../contract/time.ts'
import { UsageError } from './command.ts'

const timeoutMs = 30_000
/** For a 429 without a time, or with one that is not in seconds. */
const retryMs = secondMs
/** A venue that asks for a longer pause cannot be read. */
const waitMaxMs = 300_000

/**
 * A request that is sent again for as long as the venue answers 429, each time after as long as it says.
 * @throws UsageError if nothing answers, the venue asks for a pause of more than five minutes, or at Ctrl-C
 */
export async function waitingFetch(
  address: string,
  signal?: AbortSignal,
  init: RequestInit = {},
): Promise<Response> {
  for (;;) {
    const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null)
    if (signal?.aborted === true) throw new UsageError('interrupted')
    if (answer === null) throw new UsageError(`${new URL(address).origin} does not answer`)
    if (answer.status !== 429) return answer
    await answer.body?.cancel()
    const seconds = Number(answer.headers.get('Retry-After') ?? Number.NaN)
    await waitAsAsked(seconds >= 0 ? seconds * secondMs : retryMs, signal)
  }
}

/** @throws UsageError if that is more than five minutes, or at Ctrl-C */
export async function waitAsAsked(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > waitMaxMs) throw new UsageError(`the venue wants a pause of ${Math.ceil(ms / secondMs)} s`)
  await pause(ms, undefined, signal && { signal }).catch(() => {
    throw new UsageError('interrupted')
  })
}
