import { copyText } from '../../src/lib/copyText.ts'
import { IconButton } from '../../src/ui/IconButton.tsx'
import { toast } from '../../src/ui/toastStore.ts'
import { useTexts } from '../i18n.ts'

/** Copies a text that is shown beside it, such as an account number. */
export function Copy({ text, label }: { text: string; label: string }) {
  const t = useTexts()
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toast({ text: t('link.copied'), kind: 'success' })
  }
  return (
    <IconButton icon="copy" size={16} label={t('copy.of', { what: label })} onClick={() => void copy()} />
  )
}
