import { useState } from 'react'
import { useAction } from '../../../src/hooks/useAction.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { FileInput } from '../../../src/ui/FileInput.tsx'
import { Spinner } from '../../../src/ui/Spinner.tsx'
import type { Failure } from '../../../streams/index.ts'
import { sendPicture } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import styles from './ReplyPicture.module.css'

/** The picture of the next reply to a member, sent as soon as it is chosen. */
export function useReplyPicture(memberId: string) {
  const [sent, setSent] = useState<{ uploadId: string; name: string } | null>(null)
  const [failure, setFailure] = useState<Failure>()
  const [send, isSending] = useAction(async (file: File) => {
    setFailure(undefined)
    const result = await sendPicture(memberId, file)
    if (result.ok) setSent({ uploadId: result.value.uploadId, name: file.name })
    else setFailure(result.failure)
  })
  return {
    uploadId: sent?.uploadId ?? null,
    name: sent?.name ?? '',
    isSending,
    failure,
    send,
    clear: () => {
      setSent(null)
      setFailure(undefined)
    },
  }
}

export function ReplyPicture({ picture }: { picture: ReturnType<typeof useReplyPicture> }) {
  const t = useTexts()
  if (picture.isSending) return <Spinner />
  if (picture.uploadId !== null)
    return (
      <span className={styles.sent}>
        <span className={styles.name}>{picture.name}</span>
        <Button size="small" variant="text" onClick={picture.clear}>
          {t('thread.detach')}
        </Button>
      </span>
    )
  return (
    <label className={styles.choose} title={t('thread.pictureTypes')}>
      {t('thread.attach')}
      <FileInput
        accept="image/jpeg,image/png,image/webp"
        aria-label={t('thread.attach')}
        onFile={picture.send}
      />
    </label>
  )
}
