import type { Rejection } from '../../../contract/orderCheck.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Api } from '../../../streams/index.ts'

export type Header = [name: string, value: string]
export type FakeRequest = { method: string; url: string; headers: Headers; body?: unknown }
export type FakeAnswer = { status: number; body: unknown; headers: Header[] }
export type Handle = (request: FakeRequest) => FakeAnswer

/** The member's calls of `streams`, by the fake venue's own answers. */
export function apiOf(
  handle: Handle,
  session: string,
): Omit<Api, 'products' | 'product' | 'ticks' | 'candles'> {
  const ask = async <T>(method: string, path: string, body?: unknown, key = ''): Promise<T> => {
    const headers = new Headers({
      cookie: `sid=${session}`,
      'x-csrf-token': session,
      'idempotency-key': key,
    })
    const answer = handle({ method, url: `/api${path}`, headers, body })
    if (answer.status < 400) return answer.body as T
    const { code, params = {}, fields = {} } = (answer.body as { error: Rejection }).error
    const at = Number(answer.headers.find(([name]) => name === 'server-time')?.[1])
    throw Object.assign(new Error(code), {
      kind: 'rejected',
      status: answer.status,
      code,
      params,
      fields,
      at,
    })
  }
  return {
    positions: async () => (await ask<{ items: Order[] }>('GET', '/orders?tab=positions&limit=100')).items,
    order: (id) => ask('GET', `/orders/${id}`),
    proof: (id) => ask('GET', `/orders/${id}/proof`),
    place: (key, order) => ask('POST', '/orders', order, key),
    orderByKey: (key) => ask('GET', `/orders/by-key/${key}`),
    assets: () => ask('GET', '/me/assets'),
    messages: () => Promise.resolve({ items: [], nextCursor: null }),
    readMessages: () => Promise.resolve(),
  }
}

/** A venue's answers as `fetch`, with a browser's store of cookies. */
export function fetchOf(handle: Handle): typeof fetch {
  const jar = new Map<string, string>()
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const headers = new Headers(init?.headers ?? request?.headers)
    const text = typeof init?.body === 'string' ? init.body : ((await request?.text()) ?? '')
    if (!headers.has('cookie')) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const answer = handle({
      method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
      url: input instanceof Request ? input.url : String(input),
      headers,
      body: text === '' ? undefined : JSON.parse(text),
    })
    for (const [name, value] of answer.headers) {
      const [pair = ''] = value.split(';')
      if (name === 'set-cookie') jar.set(...(pair.split('=') as [string, string]))
    }
    const body = answer.body === undefined ? null : JSON.stringify(answer.body)
    return new Response(body, {
      status: answer.status,
      headers: [['content-type', 'application/json'], ...answer.headers],
    })
  }
}
