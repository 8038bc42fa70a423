import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { walletRoutes } from '../../../contract/wallet.ts'
import type { LimitField, Limits } from '../../../contract/wallet.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useRequest, valueOf } from '../../hooks/useRequest.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ErrorState, ListRow, Skeleton, toast } from '../../ui/index.ts'
import { PracticeDate } from '../money/PracticeDate.tsx'
import { Exclusion } from './Exclusion.tsx'
import { LimitSheet } from './LimitSheet.tsx'
import { amountFields, pendingOf, wantedOf } from './limits.ts'
import type { AmountField, LimitValue } from './limits.ts'
import styles from './Limits.module.css'

const loadLimits = (signal: AbortSignal) => call(walletRoutes.limits, {}, { signal })

/** Saves one limit; answers with what went wrong, in words. */
export type SaveLimit = (field: LimitField, value: LimitValue) => Promise<string | undefined>

/** Bounds that members set for themselves, and a pause from trading. */
export function LimitsPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { loadable, reload } = useRequest(loadLimits)
  const [saved, setSaved] = useState<Limits>()
  const fetched = valueOf(loadable)
  const limits = saved ?? fetched
  const save: SaveLimit = async (field, value) => {
    if (limits === undefined) return undefined
    const result = await call(walletRoutes.putLimits, { body: wantedOf(limits, field, value) })
    if (!result.ok) return failureText(t, format, result.failure)
    setSaved(result.value)
    const waits = pendingOf(result.value, field)
    toast({
      kind: 'success',
      text: waits
        ? t('limits.savedLater', { date: format.dateTimeShort(waits.effectiveAt) })
        : t('limits.saved'),
    })
    return undefined
  }
  return (
    <Page ground="money" title={t('title.limits')} backTo={paths.settings} live="events">
      <PracticeDate />
      <div className={styles.stack}>
        <p className={styles.lead}>{t('limits.lead')}</p>
        {limits ? (
          <div>
            <Amounts limits={limits} save={save} />
            <Exclusion limits={limits} save={save} />
          </div>
        ) : loadable.state === 'failed' ? (
          <Card>
            <ErrorState title={t('limits.failed')} retryLabel={t('common.retry')} onRetry={reload}>
              {failureText(t, format, loadable.failure)}
            </ErrorState>
          </Card>
        ) : (
          <Card padded>
            <Skeleton height={160} />
          </Card>
        )}
      </div>
    </Page>
  )
}

function Amounts({ limits, save }: { limits: Limits; save: SaveLimit }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [edited, setEdited] = useState<AmountField>()
  const worded = (value: LimitValue): string =>
    typeof value === 'string' ? format.money(value) : t('limits.none')
  return (
    <Card>
      {amountFields.map((field) => {
        const waits = pendingOf(limits, field)
        return (
          <ListRow
            key={field}
            label={t(`limits.${field}`)}
            caption={
              waits
                ? t('limits.pending', {
                    value: worded(waits.value),
                    date: format.dateTimeShort(waits.effectiveAt),
                  })
                : t(`limits.${field}Hint`)
            }
            value={worded(limits.active[field])}
            onClick={() => setEdited(field)}
          />
        )
      })}
      {amountFields.map((field) => (
        <LimitSheet
          key={`${field} ${String(edited === field)}`}
          field={field}
          open={edited === field}
          limits={limits}
          save={save}
          onClose={() => setEdited(undefined)}
        />
      ))}
    </Card>
  )
}
