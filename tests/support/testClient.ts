import { z } from 'zod'
import type { Route } from '../../contract/route.ts'
import { pathOf, type Client } from '../../src/api/clientOver.ts'
import type { Result } from '../../src/api/result.ts'

export type TestAnswer = readonly [status: number, body: unknown]
/**
 * Answers by path with its query (`/news?lang=en`), also as a function of the body. With the method in front
 * (`POST /articles`) an answer is for that method alone; any other request gets a 404.
 */
export type Answers = Map<string, TestAnswer | ((body: unknown) => TestAnswer)>
export type SentRequest = { method: string; path: string; body: unknown; key: string | undefined }

/** The body of a rejection. */
export const errorBody = (code: string, more: { params?: object; fields?: object } = {}) => ({
  error: { code, requestId: 'r', ...more },
})

function answerTo(answers: Answers, { method, path, body }: SentRequest): TestAnswer {
  const answer = answers.get(`${method} ${path}`) ?? answers.get(path) ?? [404, errorBody('NOT_FOUND')]
  return typeof answer === 'function' ? answer(body) : answer
}

/** A client of the venue for `CallProvider`, with answers from the test. It records the requests in order. */
export function createTestClient(answers: Answers = new Map()) {
  const requests: SentRequest[] = []
  const call = async (
    route: Route,
    input: { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown },
    { key }: { key?: string } = {},
  ): Promise<Result<unknown>> => {
    const query = new URLSearchParams(input.query).toString()
    const path = pathOf(route.path, input.params ?? {}) + (query === '' ? '' : `?${query}`)
    const request = { method: route.method, path, body: input.body, key }
    requests.push(request)
    return resultOf(route, answerTo(answers, request))
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

/**
 * `fetch` with answers from the test, for a page whose client is its own: paths below `base`. It records the requests in
 * order. A body that is no JSON, such as a `Blob`, is answered as it is.
 */
export function createTestFetch(base: string, answers: Answers = new Map()) {
  const requests: SentRequest[] = []
  const testFetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { body } = init
    const request = {
      method: init.method ?? 'GET',
      path: address.replace(base, ''),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
      key: new Headers(init.headers).get('Idempotency-Key') ?? undefined,
    }
    requests.push(request)
    const [status, answer] = answerTo(answers, request)
    const headers = { 'Server-Time': String(Date.now()) }
    return answer instanceof Blob || answer === null
      ? new Response(answer, { status, headers })
      : Response.json(answer, { status, headers })
  }
  return { answers, requests, fetch: testFetch as typeof fetch }
}
