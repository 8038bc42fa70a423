import { useState } from 'react'
import type { Failure } from '../../../streams/index.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useSession } from '../../state/session.ts'
import { usePhoto } from '../../features/photos/usePhoto.ts'
import { loadMessageDraft, saveMessageDraft } from './messageDraft.ts'

/** Resolves with the failure, or undefined on success. */
export type WriteMessage = (body: string, uploadId: string | undefined) => Promise<Failure | undefined>

/** A message to customer service: its text, stored as a draft until the venue has accepted it, and one picture. */
export function useComposer(write: WriteMessage) {
  const memberId = useSession().userInfo?.id ?? ''
  const [body, setBody] = useState(() => loadMessageDraft(memberId))
  const [failure, setFailure] = useState<Failure>()
  const photo = usePhoto('service')
  const { state } = photo.photo
  const uploadId = photo.photo.state === 'sent' ? photo.photo.uploadId : undefined
  const isUploading = state === 'preparing' || state === 'sending'
  const type = (text: string): void => {
    setBody(text)
    saveMessageDraft(memberId, text)
  }
  const [send, busy] = useAction(async () => {
    const sendFailure = await write(body.trim(), uploadId)
    setFailure(sendFailure)
    if (sendFailure?.kind === 'rejected' && 'uploadId' in sendFailure.fields) photo.reject(sendFailure.code)
    if (sendFailure) return
    type('')
    photo.cancel()
  })
  const isPhotoPending = isUploading || state === 'failed'
  const canSend = !busy && !isPhotoPending && (body.trim() !== '' || uploadId !== undefined)
  return {
    body,
    type,
    photo,
    canChoosePhoto: !busy && !isUploading,
    failure,
    busy,
    canSend,
    send: () => {
      if (canSend) send()
    },
  }
}
