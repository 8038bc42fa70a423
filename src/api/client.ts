import { FetchError, ofetch } from 'ofetch'
import { clientOver, type CallingOptions, type Client } from './clientOver.ts'

export type { Client } from './clientOver.ts'

/** The answer to a request that was sent before it was needed. */
export type EarlyAnswer = { answer: Promise<Response>; cancel: () => void }

export type ClientOptions = CallingOptions & {
  /** Base of every path; default: the venue's `/api`. Tests pass their own server. */
  baseURL?: string
  /** Takes the early answer to a GET; default: there is none. */
  takeEarly?: (address: string) => EarlyAnswer | undefined
}

/** A client by `fetch`. */
export function createClient({
  baseURL = '/api',
  takeEarly = () => undefined,
  ...options
}: ClientOptions): Client {
  const fetcher = ofetch.create(
    { baseURL, retry: 0, credentials: 'same-origin', ignoreResponseError: true, responseType: 'json' },
    { fetch: fetchOrTake(takeEarly) },
  )
  return clientOver(async ({ path, ...sent }) => {
    try {
      // ofetch's own timeout ends with the headers and is ignored if there is a signal; the client's covers the body too.
      const { status, headers, _data: body } = await fetcher.raw<unknown, 'json'>(path, sent)
      return { status, body, serverTime: headers.get('Server-Time') }
    } catch (error) {
      throw error instanceof FetchError ? error.cause : error
    }
  }, options)
}

const fetchOrTake =
  (takeEarly: (address: string) => EarlyAnswer | undefined): typeof fetch =>
  (request, init) => {
    const early = init?.method === 'GET' && typeof request === 'string' ? takeEarly(request) : undefined
    if (early === undefined) return fetch(request, init)
    init?.signal?.addEventListener('abort', early.cancel)
    return early.answer
  }
