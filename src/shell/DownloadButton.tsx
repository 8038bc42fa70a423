import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failedText } from '../api/failureText.ts'
import type { FileRoute } from '../api/downloader.ts'
import { fetchFile } from '../api/venueFile.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { saveFile } from '../lib/saveFile.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { toast } from '../ui/toastStore.ts'
import styles from './DownloadButton.module.css'

export type DownloadButtonProps = {
  route: FileRoute
  query: Readonly<Record<string, string>>
  /** The file's name on the device. */
  name: string
  /** The accessible name, or what the button says. */
  label: string
  /** The media type of the file; default: CSV. */
  type?: string
  /** A button with its text, as wide as its container, instead of an icon. */
  block?: boolean
}

/**
 * Fetches a file from the venue and saves it. A plain link would leave the app for an empty page or the venue's JSON
 * if there is no file.
 */
export function DownloadButton({ route, query, name, label, type, block }: DownloadButtonProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [receivedBytes, setReceivedBytes] = useState<number>()
  const download = async (): Promise<void> => {
    setReceivedBytes(0)
    const result = await fetchFile({
      route,
      query,
      onProgress: setReceivedBytes,
      ...(type !== undefined && { type }),
    })
    setReceivedBytes(undefined)
    if (result.ok) {
      saveFile(result.value, name)
      toast({ text: t('file.saved', { name }), kind: 'success' })
    } else toast({ text: failedText(t, format, t('file.failed', { name }), result.failure), kind: 'problem' })
  }
  const start = (): void => void download()
  const size = format.bytes(receivedBytes ?? 0)
  const fetching = t('file.fetching', { name, size })
  if (block === true) {
    return (
      <div>
        <Button
          block
          variant="secondary"
          icon="download-simple"
          busy={receivedBytes !== undefined}
          onClick={start}
        >
          {label}
        </Button>
        <output className={styles.progress}>{receivedBytes === undefined ? '' : fetching}</output>
      </div>
    )
  }
  if (receivedBytes === undefined) return <IconButton icon="download-simple" label={label} onClick={start} />
  return (
    <IconButton icon="download-simple" label={fetching} text={receivedBytes === 0 ? undefined : size} busy />
  )
}
