import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failedText } from '../api/failureText.ts'
import type { FileRoute } from '../api/file.ts'
import { fetchFile } from '../api/venueFile.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { saveFile } from '../saveFile.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { toast } from '../ui/toastStore.ts'

export type FileLinkProps = {
  route: FileRoute
  query: Readonly<Record<string, string>>
  /** What the file is called on the device. */
  name: string
  /** What a tap does. */
  label: string
}

/**
 * Fetches a file of the venue's and saves it. The app fetches it itself, because a link to it would leave the app for
 * an empty page or the venue's JSON whenever there is no file.
 */
export function FileLink({ route, query, name, label }: FileLinkProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [received, setReceived] = useState<number>()
  const fetchIt = async (): Promise<void> => {
    setReceived(0)
    const result = await fetchFile({ route, query, onProgress: setReceived })
    setReceived(undefined)
    if (result.ok) {
      saveFile(result.value, name)
      toast({ text: t('file.saved', { name }), kind: 'success' })
    } else toast({ text: failedText(t, format, t('file.failed', { name }), result.failure), kind: 'problem' })
  }
  if (received === undefined) {
    return <IconButton icon="download-simple" label={label} onClick={() => void fetchIt()} />
  }
  const size = format.bytes(received)
  return (
    <IconButton
      icon="download-simple"
      label={t('file.fetching', { name, size })}
      text={received === 0 ? undefined : size}
      busy
    />
  )
}
