// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../../src/api/result.ts'
import {
  isOutcomeUnknown,
  retryDelaysMs,
  sendIdempotent,
} from '../../../../src/features/transfers/idempotentRequest.ts'
import {
  useIdempotentRequest,
  type IdempotentRequestState,
} from '../../../../src/features/transfers/useIdempotentRequest.ts'
import type { Failure } from '../../../../streams/index.ts'
import { mount } from '../../ui/mount.tsx'

const apiFailure = (status: number, code: string, params: Record<string, unknown> = {}): Failure => ({
  kind: 'rejected',
  status,
  code,
  params,
  fields: {},
  at: 0,
})
const failed = (failure: Failure): Result<string> => ({ ok: false, failure })
const succeeded: Result<string> = { ok: true, value: 'done', at: 0 }

describe('isOutcomeUnknown', () => {
  it.each([
    [{ kind: 'offline' }, true],
    [{ kind: 'timeout' }, true],
    [{ kind: 'broken' }, true],
    [apiFailure(500, 'INTERNAL'), true],
    [apiFailure(503, 'UNAVAILABLE'), true],
    [apiFailure(429, 'RATE_LIMITED'), true],
    [apiFailure(409, 'IDEMPOTENCY_IN_FLIGHT'), true],
    [apiFailure(409, 'ALREADY_BOUND'), false],
    [apiFailure(400, 'VALIDATION'), false],
    [apiFailure(401, 'UNAUTHENTICATED'), false],
    [apiFailure(422, 'INSUFFICIENT_BALANCE'), false],
    [apiFailure(423, 'SELF_LIMIT'), false],
  ] as const)('%o: %s', (failure, expected) => {
    expect(isOutcomeUnknown(failure as Failure)).toBe(expected)
  })
})

describe('sendIdempotent', () => {
  async function runWith(answers: Result<string>[]) {
    const waits: number[] = []
    const counts = { unknown: 0, sends: 0 }
    const result = await sendIdempotent(
      async () => answers[counts.sends++] ?? succeeded,
      async (ms) => void waits.push(ms),
      () => counts.unknown++,
    )
    return { result, waits, ...counts }
  }

  it('sends once if there is an answer', async () => {
    expect(await runWith([succeeded])).toEqual({ result: succeeded, waits: [], unknown: 0, sends: 1 })
    const rejection = failed(apiFailure(422, 'NOT_BOUND'))
    expect(await runWith([rejection])).toEqual({ result: rejection, waits: [], unknown: 0, sends: 1 })
  })

  it('retries with growing delays until there is an answer', async () => {
    const lostAnswer = failed({ kind: 'offline' })
    expect(await runWith([lostAnswer, lostAnswer, succeeded])).toEqual({
      result: succeeded,
      waits: [1000, 2000],
      unknown: 2,
      sends: 3,
    })
    expect(await runWith([lostAnswer, lostAnswer, lostAnswer, lostAnswer, succeeded])).toEqual({
      result: lostAnswer,
      waits: [...retryDelaysMs],
      unknown: 3,
      sends: 4,
    })
  })

  it('waits as long as the venue requires, and gives up if that is too long', async () => {
    const soon = failed(apiFailure(429, 'RATE_LIMITED', { retryAfterMs: 3000 }))
    expect((await runWith([soon, succeeded])).waits).toEqual([3000])
    const late = failed(apiFailure(429, 'RATE_LIMITED', { retryAfterMs: 60_000 }))
    expect(await runWith([late, succeeded])).toEqual({ result: late, waits: [], unknown: 1, sends: 1 })
  })
})

describe('useIdempotentRequest', () => {
  const requests: { body: string; key: string }[] = []
  let answers: Result<string>[] = []
  let send: (body: string) => Promise<Result<string> | undefined>
  let shown: { state: IdempotentRequestState; lostAnswer: boolean }

  function Probe() {
    const [run, state, lostAnswer] = useIdempotentRequest(async (body: string, key: string) => {
      requests.push({ body, key })
      return answers.shift() ?? succeeded
    })
    useEffect(() => {
      send = run
      shown = { state, lostAnswer }
    })
    return null
  }
  beforeEach(async () => {
    vi.useFakeTimers()
    requests.length = 0
    answers = []
    await mount(<Probe />)
  })
  afterEach(() => vi.useRealTimers())
  const flushTimers = () => act(async () => vi.runAllTimersAsync())

  it('sends one request for repeated taps', async () => {
    await act(async () => {
      const [first, second] = await Promise.all([send('100'), send('100')])
      expect([first, second]).toEqual([succeeded, undefined])
    })
    expect(requests).toHaveLength(1)
  })

  it('retains key and body while the outcome is unknown', async () => {
    answers = Array.from({ length: 4 }, () => failed({ kind: 'timeout' }))
    await act(async () => void send('100'))
    await flushTimers()
    expect(shown).toEqual({ state: 'unknown', lostAnswer: true })
    await act(async () => void send('200'))
    await flushTimers()
    expect(requests).toHaveLength(5)
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['100']))
    expect(shown).toEqual({ state: 'idle', lostAnswer: false })
  })

  it('uses a new key after an answer, also after a rejection', async () => {
    answers = [failed(apiFailure(422, 'TRANSACTION_PASSWORD_WRONG'))]
    for (const body of ['a', 'b', 'c']) {
      await act(async () => void send(body))
      await flushTimers()
    }
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3)
    expect(requests.map(({ body }) => body)).toEqual(['a', 'b', 'c'])
  })
})
