import { useTranslation } from 'react-i18next'
import { useStreamsIfReady } from '../hooks/useStreams.ts'
import { Button } from '../ui/Button.tsx'
import { ListRow } from '../ui/ListRow.tsx'
import { toast } from '../ui/toastStore.ts'
import { saveReport } from './report.ts'
import styles from './SaveReport.module.css'

/** Saves a report about the app on this device; of a page that failed. */
export function SaveReport() {
  const { t } = useTranslation()
  const save = useSaveReport()
  return (
    <span className={styles.report}>
      <Button variant="secondary" size="small" icon="download-simple" onClick={save}>
        {t('report.save')}
      </Button>
      {t('report.contents')}
    </span>
  )
}

/** The same as a row of a list. */
export function SaveReportRow() {
  const { t } = useTranslation()
  const save = useSaveReport()
  return <ListRow label={t('report.save')} caption={t('report.contents')} onClick={save} />
}

function useSaveReport(): () => void {
  const { t } = useTranslation()
  const streams = useStreamsIfReady()
  return () => toast({ text: t('file.saved', { name: saveReport(streams) }), kind: 'success' })
}
