import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { businessDay } from '../../../contract/time.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import { saveFile } from '../../../src/lib/saveFile.ts'
import { Button } from '../../../src/ui/Button.tsx'
import type { Failure } from '../../../streams/index.ts'
import { fetchFile } from '../../api.ts'
import { venueNow } from '../../data/venueClock.ts'
import { useTexts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { DayEntry } from '../../ui/DayEntry.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import styles from './ActLog.module.css'

const files = ['actions', 'movements'] as const

/** A business day for accounting: what the staff did, by the filters of the list, and what moved money. */
export function DayFiles({ filters }: { filters: Readonly<Record<string, string>> }) {
  const t = useTexts()
  const may = useMay()
  const { zone } = useSession()
  const [day, setDay] = useState(() => businessDay(venueNow(), zone))
  const [failure, setFailure] = useState<Failure>()
  const [load, busy] = useAction(async (what: (typeof files)[number]) => {
    setFailure(undefined)
    const result = await fetchFile({
      route: officeRoutes.accounting[what],
      query: { day, ...(what === 'actions' && filters) },
    })
    if (result.ok) saveFile(result.value, `${what}-${day}.csv`)
    else setFailure(result.failure)
  })
  return (
    <div className={styles.day}>
      <DayEntry label={t('audit.day')} value={day} onValue={setDay} />
      {files
        .filter((what) => may(`accounting.${what}`))
        .map((what) => (
          <Button
            key={what}
            size="small"
            variant="secondary"
            disabled={busy || day === ''}
            onClick={() => load(what)}
          >
            {t(`audit.${what}`)}
          </Button>
        ))}
      <FailureLine failure={failure} />
    </div>
  )
}
