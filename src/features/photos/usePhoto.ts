import { useCallback, useEffect, useReducer, useRef } from 'react'
import { assertNever } from '../../../contract/units.ts'
import { uploadMaxBytes, type UploadPurpose } from '../../../contract/uploads.ts'
import type { Failure } from '../../../streams/index.ts'
import { createUploader } from '../../api/uploader.ts'
import { endSession, session } from '../../state/session.ts'
import { scalePhoto } from './scalePhoto.ts'

/** Sends a picture to the venue that served this page. */
const upload = createUploader({ token: () => session.token, onEnded: endSession })

/** A picture that the venue has received, and when. */
export type StoredUpload = { uploadId: string; at: number }

/** The state of one photo. `url` shows the picture, if this device still has it. */
export type PhotoState =
  | { state: 'empty'; problem?: PhotoProblem }
  | { state: 'preparing' }
  | { state: 'sending'; url: string; sent: number; total: number }
  | { state: 'failed'; url: string; problem: PhotoProblem }
  | ({ state: 'sent'; url?: string } & StoredUpload)

export type PhotoProblem = { kind: 'code'; code: string } | { kind: 'failure'; failure: Failure }

export type PhotoAction =
  | { kind: 'chosen' }
  | { kind: 'unusable'; code: string }
  | { kind: 'sending'; url: string; total: number }
  | { kind: 'progress'; sent: number; total: number }
  | { kind: 'failed'; failure: Failure }
  | ({ kind: 'sent' } & StoredUpload)
  | { kind: 'cancelled' }
  | { kind: 'rejected'; code: string }

/** The reducer of one photo. An action that does not fit the state, such as one after a cancel, changes nothing. */
export function reducePhoto(state: PhotoState, action: PhotoAction): PhotoState {
  switch (action.kind) {
    case 'chosen':
      return { state: 'preparing' }
    case 'unusable':
    case 'rejected':
      return { state: 'empty', problem: { kind: 'code', code: action.code } }
    case 'sending':
      return { state: 'sending', url: action.url, sent: 0, total: action.total }
    case 'progress':
      return state.state === 'sending' ? { ...state, sent: action.sent, total: action.total } : state
    case 'failed': {
      const problem = { kind: 'failure', failure: action.failure } as const
      return state.state === 'sending' ? { state: 'failed', url: state.url, problem } : state
    }
    case 'sent':
      return state.state === 'sending'
        ? { state: 'sent', uploadId: action.uploadId, at: action.at, url: state.url }
        : state
    case 'cancelled':
      return { state: 'empty' }
    default:
      return assertNever(action)
  }
}

/**
 * Uploads one photo: scales it, reports the progress, and can cancel, retry or replace it.
 * @param stored the upload of a draft, whose picture is no longer on this device
 */
export function usePhoto(purpose: UploadPurpose, stored?: StoredUpload) {
  const [photo, dispatch] = useReducer(
    reducePhoto,
    stored === undefined ? { state: 'empty' } : { state: 'sent', ...stored },
  )
  const currentUpload = useRef<AbortController>(undefined)
  const picture = useRef<{ blob: Blob; url: string }>(undefined)

  const reset = useCallback(() => {
    currentUpload.current?.abort()
    if (picture.current) URL.revokeObjectURL(picture.current.url)
    picture.current = undefined
  }, [])
  useEffect(() => reset, [reset])

  const send = useCallback(async () => {
    if (!picture.current) return
    const { blob, url } = picture.current
    const controller = new AbortController()
    currentUpload.current = controller
    dispatch({ kind: 'sending', url, total: blob.size })
    const result = await upload({
      purpose,
      picture: blob,
      onProgress: (sent, total) => {
        if (!controller.signal.aborted) dispatch({ kind: 'progress', sent, total })
      },
      signal: controller.signal,
    })
    if (controller.signal.aborted) return
    if (result.ok) dispatch({ kind: 'sent', uploadId: result.value.uploadId, at: Date.now() })
    else dispatch({ kind: 'failed', failure: result.failure })
  }, [purpose])

  const choose = async (file: Blob): Promise<void> => {
    reset()
    const controller = new AbortController()
    currentUpload.current = controller
    dispatch({ kind: 'chosen' })
    const scaled = await scalePhoto(file, uploadMaxBytes)
    if (controller.signal.aborted) return
    if (!scaled.ok) {
      dispatch({ kind: 'unusable', code: scaled.code })
      return
    }
    picture.current = { blob: scaled.picture, url: URL.createObjectURL(scaled.picture) }
    await send()
  }
  const cancel = (): void => {
    reset()
    dispatch({ kind: 'cancelled' })
  }
  /** The venue rejected the photo, or the form was sent without one. */
  const reject = (code: string): void => {
    reset()
    dispatch({ kind: 'rejected', code })
  }
  return { photo, choose, retry: () => void send(), cancel, reject }
}
export type Photo = ReturnType<typeof usePhoto>
