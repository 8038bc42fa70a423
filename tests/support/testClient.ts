import { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import { pathOf } from '../../src/api/client.ts'
import type { Client } from '../../src/api/client.ts'
import type { Result } from '../../src/api/result.ts'

export type TestAnswer = readonly [status: number, body: unknown]
export type SentRequest = { path: string; body: unknown; key: string | undefined }

/** The body of a rejection. */
export const errorBody = (code: string, more: { params?: object; fields?: object } = {}) => ({
  error: { code, requestId: 'r', ...more },
})

/**
 * A client of the venue for `CallProvider`, with answers from the test: by path with its query, 404 for any other path.
 * It records the requests in order.
 */
export function createTestClient() {
  const answers = new Map<string, TestAnswer>()
  const requests: SentRequest[] = []
  const call = async (
    route: Route,
    input: { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown },
    { key }: { key?: string } = {},
  ): Promise<Result<unknown>> => {
    const query = new URLSearchParams(input.query).toString()
    const path = pathOf(route.path, input.params ?? {}) + (query === '' ? '' : `?${query}`)
    requests.push({ path, body: input.body, key })
    return resultOf(route, answers.get(path) ?? [404, errorBody('NOT_FOUND')])
  }
  return { answers, requests, call: call as Client }
}

/** What the client returns for an answer. @throws if the answer is none of the contract */
function resultOf(route: Route, [status, body]: TestAnswer): Result<unknown> {
  if (status < 400) return { ok: true, value: route.answer && z.parse(route.answer, body), at: 0 }
  const { code, params = {}, fields = {} } = (body as ReturnType<typeof errorBody>).error
  const failure = { kind: 'rejected', status, code, params, fields, at: 0 }
  return { ok: false, failure } as Result<never>
}
