import type { EarlyAnswer } from '../api/client.ts'

type EarlyAnswers = { token: string | null; answers: Map<string, EarlyAnswer> }

declare global {
  /** Requested by the start script, before the app's code has arrived. */
  var earlyAnswers: EarlyAnswers | undefined
}

/** From the app's start on. Whatever no page has taken by then would be too old for a later one. */
const usableMs = 5000
const usableUntil = performance.now() + usableMs

/** Requests these addresses for the session of this token, or for a guest. */
export function requestEarly(token: string | null, addresses: readonly string[]): void {
  const answers = new Map(addresses.map((address) => [address, request(address)]))
  globalThis.earlyAnswers = { token, answers }
}

/** Requests one more for the same session, after everything that the page waits for. */
export const requestEarlyToo = (address: string): void =>
  void globalThis.earlyAnswers?.answers.set(address, request(address, { priority: 'low' }))

function request(address: string, options: RequestInit = {}): EarlyAnswer {
  const controller = new AbortController()
  const answer = fetch(address, {
    credentials: 'same-origin',
    headers: { Accept: 'application/json' },
    signal: controller.signal,
    ...options,
  })
  // If it fails, that is of interest only to the request that takes it.
  answer.catch(() => undefined)
  return { answer, cancel: () => controller.abort() }
}

/** The body of the answer to an early request, which can still be taken; undefined if there is none. */
export async function readEarly(address: string): Promise<unknown> {
  const response = await globalThis.earlyAnswers?.answers.get(address)?.answer
  return response?.ok ? response.clone().json() : undefined
}

/** Takes the answer to a request of the session of this token; undefined if there is none, or it was taken before. */
export function takeEarly(token: string | null, address: string): EarlyAnswer | undefined {
  const early = globalThis.earlyAnswers
  if (early === undefined || early.token !== token || performance.now() > usableUntil) return undefined
  const answer = early.answers.get(address)
  early.answers.delete(address)
  return answer
}
