import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { secondMs } from '../../../../contract/time.ts'
import { UsageError } from './command.ts'
import { readJson, request, type Requested } from './request.ts'

const timeoutMs = 30_000
/** For a 429 without a time, or with one that is not in seconds. */
const retryMs = secondMs
/** A venue that asks for a longer pause cannot be read. */
const waitMaxMs = 300_000

/** A status of success. */
export const isOk = (status: number): boolean => status >= 200 && status < 300

/** Aborts when `signal` does, and after a time. */
export function orTimeout(signal?: AbortSignal, ms = timeoutMs): AbortSignal {
  const timeout = AbortSignal.timeout(ms)
  // Without a listener of its own Node 20 may collect it, and then nothing aborts.
  timeout.addEventListener('abort', () => undefined)
  return AbortSignal.any([timeout, ...(signal ? [signal] : [])])
}

/**
 * A request that is sent again for as long as the venue answers 429, each time after as long as it says.
 * @throws UsageError if nothing answers, the venue asks for a pause of more than five minutes, or the signal aborts
 */
export async function waitingRequest(
  address: string,
  signal?: AbortSignal,
  what: Omit<Requested, 'signal'> = {},
): Promise<{ status: number; answer: IncomingMessage }> {
  for (;;) {
    const answer = await request(address, { ...what, signal: orTimeout(signal) }).catch(() => null)
    if (answer === null) throw new UsageError(`${new URL(address).origin} does not answer`)
    const { statusCode: status = 0, headers } = answer
    if (status !== 429) return { status, answer }
    answer.resume()
    const seconds = Number(headers['retry-after'] ?? Number.NaN)
    await waitAsAsked(seconds >= 0 ? seconds * secondMs : retryMs, signal)
  }
}

/** The same with the JSON of the answer, undefined if it is none. @throws UsageError also if it breaks off */
export async function waitingJson(
  address: string,
  signal?: AbortSignal,
  what: Omit<Requested, 'signal'> = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: unknown }> {
  const { status, answer } = await waitingRequest(address, signal, what)
  const body = await readJson(answer).catch(() => {
    throw new UsageError(`${address}: the answer breaks off`)
  })
  return { status, headers: answer.headers, body }
}

/** @throws UsageError if that is more than five minutes, AbortError if the signal aborts */
export async function waitAsAsked(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > waitMaxMs) throw new UsageError(`the venue wants a pause of ${Math.ceil(ms / secondMs)} s`)
  await pause(ms, undefined, signal && { signal })
}
