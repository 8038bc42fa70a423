// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../../src/api/result.ts'
import {
  isOutcomeUnknown,
  retryDelaysMs,
  sendIdempotent,
} from '../../../../src/pages/wallet/idempotentRequest.ts'
import { useIdempotentRequest } from '../../../../src/pages/wallet/useIdempotentRequest.ts'
import type { IdempotentRequestState } from '../../../../src/pages/wallet/useIdempotentRequest.ts'
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
const no = (failure: Failure): Result<string> => ({ ok: false, failure })
const yes: Result<string> = { ok: true, value: 'done', at: 0 }

describe('an outcome is open', () => {
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
  ] as const)('%o: %s', (failure, open) => {
    expect(isOutcomeUnknown(failure as Failure)).toBe(open)
  })
})

describe('sending with a key', () => {
  async function sent(answers: Result<string>[]) {
    const waits: number[] = []
    const told = { open: 0, sends: 0 }
    const result = await sendIdempotent(
      async () => answers[told.sends++] ?? yes,
      async (ms) => void waits.push(ms),
      () => told.open++,
    )
    return { result, waits, ...told }
  }

  it('sends once where there is an answer', async () => {
    expect(await sent([yes])).toEqual({ result: yes, waits: [], open: 0, sends: 1 })
    const refusal = no(apiFailure(422, 'NOT_BOUND'))
    expect(await sent([refusal])).toEqual({ result: refusal, waits: [], open: 0, sends: 1 })
  })

  it('sends again, more slowly each time, until there is one', async () => {
    const lost = no({ kind: 'offline' })
    expect(await sent([lost, lost, yes])).toEqual({ result: yes, waits: [1000, 2000], open: 2, sends: 3 })
    expect(await sent([lost, lost, lost, lost, yes])).toEqual({
      result: lost,
      waits: [...retryDelaysMs],
      open: 3,
      sends: 4,
    })
  })

  it('waits as long as the venue asks for, and gives up where that is long', async () => {
    const soon = no(apiFailure(429, 'RATE_LIMITED', { retryAfterMs: 3000 }))
    expect((await sent([soon, yes])).waits).toEqual([3000])
    const late = no(apiFailure(429, 'RATE_LIMITED', { retryAfterMs: 60_000 }))
    expect(await sent([late, yes])).toEqual({ result: late, waits: [], open: 1, sends: 1 })
  })
})

describe('one intent', () => {
  const asked: { body: string; key: string }[] = []
  let answers: Result<string>[] = []
  let send: (body: string) => Promise<Result<string> | undefined>
  let shown: { state: IdempotentRequestState; lost: boolean }

  function Probe() {
    const [run, state, lost] = useIdempotentRequest(async (body: string, key: string) => {
      asked.push({ body, key })
      return answers.shift() ?? yes
    })
    useEffect(() => {
      send = run
      shown = { state, lost }
    })
    return null
  }
  beforeEach(async () => {
    vi.useFakeTimers()
    asked.length = 0
    answers = []
    await mount(<Probe />)
  })
  afterEach(() => vi.useRealTimers())
  const settle = () => act(async () => vi.runAllTimersAsync())

  it('is one effect however often it is tapped', async () => {
    await act(async () => {
      const [first, second] = await Promise.all([send('100'), send('100')])
      expect([first, second]).toEqual([yes, undefined])
    })
    expect(asked).toHaveLength(1)
  })

  it('keeps its key and its body while its outcome is open', async () => {
    answers = Array.from({ length: 4 }, () => no({ kind: 'timeout' }))
    await act(async () => void send('100'))
    await settle()
    expect(shown).toEqual({ state: 'unknown', lost: true })
    await act(async () => void send('200'))
    await settle()
    expect(asked).toHaveLength(5)
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    expect(new Set(asked.map(({ body }) => body))).toEqual(new Set(['100']))
    expect(shown).toEqual({ state: 'idle', lost: false })
  })

  it('takes a new key after an answer, a refusal too', async () => {
    answers = [no(apiFailure(422, 'TRANSACTION_PASSWORD_WRONG'))]
    for (const body of ['a', 'b', 'c']) {
      await act(async () => void send(body))
      await settle()
    }
    expect(new Set(asked.map(({ key }) => key)).size).toBe(3)
    expect(asked.map(({ body }) => body)).toEqual(['a', 'b', 'c'])
  })
})
