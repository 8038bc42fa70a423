import * as z from 'zod/mini'
import { uploadRoutes, type UploadPurpose } from '../../contract/uploads.ts'
import { parseErrorResponse, type SessionPort } from './clientOver.ts'
import type { Result } from './result.ts'

/** As long as the venue waits for a slow sender. */
const uploadTimeoutMs = 120_000

export type Upload = {
  purpose: UploadPurpose
  picture: Blob
  /** Bytes sent and in total, including the form's own. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
}
export type UploadResult = { uploadId: string }

/**
 * Sends one picture. An XMLHttpRequest, because fetch has no upload progress. Never throws and never retries, like
 * every call; an abort returns a timeout failure, which is not shown.
 */
export function createUploader(
  session: SessionPort,
  baseURL = '/api',
): (upload: Upload) => Promise<Result<UploadResult>> {
  return ({ purpose, picture, onProgress, signal }) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest()
      const abort = (): void => request.abort()
      const finish = (result: Result<UploadResult>): void => {
        signal?.removeEventListener('abort', abort)
        resolve(result)
      }
      request.open('POST', baseURL + uploadRoutes.upload.path)
      request.timeout = uploadTimeoutMs
      request.setRequestHeader('Accept', 'application/json')
      request.setRequestHeader('X-CSRF-Token', session.token() ?? '')
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total))
      request.addEventListener('load', () => finish(resultOf(session, request)))
      request.addEventListener('error', () => finish({ ok: false, failure: { kind: 'offline' } }))
      for (const event of ['timeout', 'abort']) {
        request.addEventListener(event, () => finish({ ok: false, failure: { kind: 'timeout' } }))
      }
      signal?.addEventListener('abort', abort)
      const form = new FormData()
      form.set('purpose', purpose)
      form.set('file', picture, 'photo.jpg')
      request.send(form)
      if (signal?.aborted) abort()
    })
}

function resultOf(session: SessionPort, request: XMLHttpRequest): Result<UploadResult> {
  const at = Number(request.getResponseHeader('Server-Time') ?? 0)
  const body = jsonOf(request.responseText)
  if (request.status !== uploadRoutes.upload.status) {
    return { ok: false, failure: parseErrorResponse(session, { status: request.status, body, at }) }
  }
  const parsed = z.safeParse(uploadRoutes.upload.answer, body)
  return parsed.success ? { ok: true, value: parsed.data, at } : { ok: false, failure: { kind: 'broken' } }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
