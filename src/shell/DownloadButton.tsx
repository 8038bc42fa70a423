import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failedText } from '../api/failureText.ts'
import type { FileRoute } from '../api/downloader.ts'
import { fetchFile } from '../api/venueFile.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { saveFile } from '../saveFile.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { toast } from '../ui/toastStore.ts'

export type DownloadButtonProps = {
  route: FileRoute
  query: Readonly<Record<string, string>>
  /** The file's name on the device. */
  name: string
  /** The accessible name. */
  label: string
}

/**
 * Fetches a file from the venue and saves it. A plain link would leave the app for an empty page or the venue's JSON
 * if there is no file.
 */
export function DownloadButton({ route, query, name, label }: DownloadButtonProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [receivedBytes, setReceivedBytes] = useState<number>()
  const download = async (): Promise<void> => {
    setReceivedBytes(0)
    const result = await fetchFile({ route, query, onProgress: setReceivedBytes })
    setReceivedBytes(undefined)
    if (result.ok) {
      saveFile(result.value, name)
      toast({ text: t('file.saved', { name }), kind: 'success' })
    } else toast({ text: failedText(t, format, t('file.failed', { name }), result.failure), kind: 'problem' })
  }
  if (receivedBytes === undefined) {
    return <IconButton icon="download-simple" label={label} onClick={() => void download()} />
  }
  const size = format.bytes(receivedBytes)
  return (
    <IconButton
      icon="download-simple"
      label={t('file.fetching', { name, size })}
      text={receivedBytes === 0 ? undefined : size}
      busy
    />
  )
}
