import { networkTimeoutMs } from '../../contract/constants.ts'
import type { Route } from '../../contract/route.ts'
import type { Failure } from '../../streams/index.ts'
import { pathOf, parseErrorResponse, type SessionPort } from './clientOver.ts'
import type { Result } from './result.ts'

/** A GET route of the contract that returns a file. */
export type FileRoute = Route & { method: 'GET' }
export type FileRequest = {
  route: FileRoute
  params?: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** The media type that the file must have; default: CSV. */
  type?: string
  /** Bytes received so far. The venue streams its files, so the total is unknown. */
  onProgress?: (received: number) => void
}

export type Downloader = (request: FileRequest) => Promise<Result<Blob>>

/**
 * Fetches a whole file; a partial one is never returned. Never throws and never retries, like every call.
 * @param silenceMs how long the venue may send nothing before the file counts as lost
 */
export function createDownloader(
  session: SessionPort,
  baseURL = '/api',
  silenceMs = networkTimeoutMs,
): Downloader {
  return async ({ route, params = {}, query, type: mediaType = 'text/csv', onProgress }) => {
    const silenceController = new AbortController()
    const silenceTimer = createSilenceTimer(silenceMs, () => silenceController.abort())
    const search = new URLSearchParams(query).toString()
    try {
      const response = await fetch(
        `${baseURL}${pathOf(route.path, params)}${search === '' ? '' : `?${search}`}`,
        {
          headers: { Accept: `${mediaType}, application/json` },
          credentials: 'same-origin',
          signal: silenceController.signal,
        },
      )
      if (!response.ok) return { ok: false, failure: await failureFromResponse(session, response) }
      const type = response.headers.get('Content-Type') ?? ''
      // A captive portal also answers 200.
      if (!type.startsWith(mediaType) || !response.body) return { ok: false, failure: { kind: 'broken' } }
      const parts = await readAll(response.body, (received) => {
        silenceTimer.restart()
        onProgress?.(received)
      })
      return { ok: true, value: new Blob(parts, { type }), at: timeOf(response) }
    } catch {
      return {
        ok: false,
        failure: silenceController.signal.aborted ? { kind: 'timeout' } : { kind: 'offline' },
      }
    } finally {
      silenceTimer.end()
    }
  }
}

const timeOf = ({ headers }: Response): number => Number(headers.get('Server-Time') ?? 0)

async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body.getReader()
  let received = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(value)
    received += value.length
    onProgress(received)
  }
}

/** Why there is no file. A `Retry-After` header counts like `retryAfterMs` in the answer. */
async function failureFromResponse(session: SessionPort, response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined)
  const failure = parseErrorResponse(session, { status: response.status, body, at: timeOf(response) })
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  if (!(seconds > 0)) return failure
  const retryAfterMs = seconds * 1000
  if (failure.kind === 'rejected') return { ...failure, params: { retryAfterMs, ...failure.params } }
  if (response.status !== 429) return failure
  // A proxy's rate limit has no body of the contract.
  return { kind: 'rejected', status: 429, code: 'RATE_LIMITED', params: { retryAfterMs }, fields: {}, at: 0 }
}

function createSilenceTimer(
  silenceMs: number,
  onSilence: () => void,
): { restart: () => void; end: () => void } {
  let timer = setTimeout(onSilence, silenceMs)
  const end = (): void => clearTimeout(timer)
  const restart = (): void => {
    end()
    timer = setTimeout(onSilence, silenceMs)
  }
  return { restart, end }
}
