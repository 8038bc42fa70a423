import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton.tsx'
import { toast } from '../ui/toastStore.ts'

/** A file of the venue's, fetched by a tap. Offline the browser would leave the app for a page of its own. */
export function FileLink({ href, label }: { href: string; label: string }) {
  const { t } = useTranslation()
  return (
    <IconButton
      icon="download-simple"
      label={label}
      href={href}
      onClick={(event) => {
        if (navigator.onLine) return
        event.preventDefault()
        toast({ text: t('error.OFFLINE'), kind: 'problem' })
      }}
    />
  )
}
